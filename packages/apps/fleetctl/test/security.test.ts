import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { startFleet } from '@nodecore/fleet';
import { machineStatuses } from '@nodecore/fleet-api';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { guardedFactory, submitBy, tokenOf } from '../../factory/test/known-callers.ts';
import { reportingOptions } from '../../factory/test/reports/reported-releases.ts';
import { defaultAuthentication } from '../../factory/src/index.ts';
import { features } from '../../fleet/src/features.ts';
import { run } from '../src/main.ts';

type Said = { readonly code: number; readonly out: string; readonly error: string };
type Status = {
  readonly osVersion?: string;
  readonly schematic?: { readonly fullId: string };
  readonly cluster?: string;
  readonly hostname?: string;
};

/** fleetctl of a fleet with these machines, whose image factory is a real one that asks for a token. */
async function scene(
  t: ExecutionContext,
  machinesOf: (schematic: string) => Readonly<Record<string, Status>>,
  hasFactory = true,
): Promise<{ readonly schematic: string; readonly fleetctl: (line: string) => Promise<Said> }> {
  const home = await temporaryDirectory(t);
  const factory = await guardedFactory(t, {
    ...(await reportingOptions(t)),
    authentication: defaultAuthentication,
  });
  const token = await tokenOf(factory, 'fleet', ['schematic:create', 'report:read']);
  const schematic = await submitBy(
    factory,
    token,
    '{"customization":{"systemExtensions":{"officialExtensions":["os/tools"]}}}',
  );
  const tokenFile = join(home, 'factory.token');
  await writeFile(tokenFile, `${token}\n`);
  const keyFile = join(home, 'account');
  const { host, port } = factory.factory.address;
  const fleet = await startFleet({
    log: pino({ level: 'silent' }),
    announce: () => {},
    configuration: {
      listen: { host: '127.0.0.1', port: 0 },
      advertisedUrl: new URL('https://127.0.0.1:8080'),
      stateFile: join(home, 'fleet.db'),
      initialServiceAccount: { name: 'automation', keyPath: keyFile },
      ...(hasFactory && { factories: [{ url: new URL(`http://${host}:${port}`), tokenFile }] }),
    },
    features: [
      ...features,
      {
        name: 'machines that say this',
        definitions: [],
        make: ({ state }) => ({
          prepare: async () => {
            for (const [id, status] of Object.entries(machinesOf(schematic)))
              await state.create(
                { namespace: 'default', type: machineStatuses.type, id },
                JSON.parse(JSON.stringify({ connected: true, ...status })) as never,
              );
          },
        }),
      },
    ],
  });
  t.teardown(async () => await fleet[Symbol.asyncDispose]());
  const account = (await readFile(keyFile, 'latin1')).trim();
  const fleetctl = async (line: string): Promise<Said> => {
    const [out, error] = [new PassThrough(), new PassThrough()];
    const env = {
      HOME: home,
      FLEET_ENDPOINT: `https://127.0.0.1:${fleet.address.port}`,
      FLEET_SERVICE_ACCOUNT_KEY: account,
    };
    const said = Promise.all([text(out), text(error)]);
    const words = [...line.split(' '), '--insecure-skip-tls-verify'];
    const signal = new AbortController().signal;
    const code = await run(words, { out, error, input: new PassThrough().end(), env, signal });
    out.end();
    error.end();
    const [outText, errorText] = await said;
    return { code, out: outText, error: errorText };
  };
  return { schematic, fleetctl };
}

const two = (fullId: string): Readonly<Record<string, Status>> => ({
  one: { osVersion: 'v1.14.1', schematic: { fullId }, cluster: 'east', hostname: 'cp-1' },
  two: { osVersion: 'v1.14.1', schematic: { fullId }, cluster: 'east' },
  three: { osVersion: 'v1.14.2', schematic: { fullId }, cluster: 'west' },
  four: { cluster: 'west' },
});

test('the images of machines are scanned once each, with what upgrades would change', async (t) => {
  const { schematic, fleetctl } = await scene(t, two);
  const table = await fleetctl('security scan');
  t.is(table.code, 0, table.error);
  t.is(table.error, 'four: does not say which image it runs\n');
  t.regex(table.out, new RegExp(`Image: v1\\.14\\.1 amd64 ${schematic}\nMachines: one, two\n`));
  t.regex(table.out, /\nSEVERITY +VULNERABILITY +PACKAGE +VERSION +FIXED IN\n/);
  t.regex(table.out, /\nUPGRADE TO +PATH +FIXES +INTRODUCES +REMAIN\nv1\.14\.2 +v1\.14\.2 +[1-9]/);
  const severities = [
    ...table.out.split('Image:')[1]!.matchAll(/^(critical|high|medium|low|negligible|unknown) /gm),
  ];
  const order = ['critical', 'high', 'medium', 'low', 'negligible', 'unknown'];
  const places = severities.map(([, severity]) => order.indexOf(severity!));
  t.true(places.length > 1);
  t.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );

  const east = JSON.parse((await fleetctl('security scan east -o json')).out);
  t.is(east.length, 1);
  t.like(east[0], { version: 'v1.14.1', schematic, architecture: 'amd64', machines: ['one', 'two'] });
  t.true(east[0].scan.matches.length > 0);
  t.is(east[0].upgrades.candidates[0].version, 'v1.14.2');
  const named = JSON.parse((await fleetctl('security scan --machine cp-1 three -o json')).out);
  t.deepEqual(
    named.map(({ machines }: { machines: unknown }) => machines),
    [['one'], ['three']],
  );
  t.is((await fleetctl('security scan north')).code, 3);
  t.is((await fleetctl('security scan --machine nobody')).code, 3);
});

test('SARIF has a run for each image, which says whose it is', async (t) => {
  const { schematic, fleetctl } = await scene(t, two);
  const { code, out } = await fleetctl('security scan -o sarif');
  t.is(code, 0);
  const { version, runs } = JSON.parse(out);
  t.is(version, '2.1.0');
  t.deepEqual(
    runs.map(({ automationDetails, properties }: any) => [automationDetails.id, properties.machines]),
    [
      [`v1.14.1/${schematic}/amd64/`, ['one', 'two']],
      [`v1.14.2/${schematic}/amd64/`, ['three']],
    ],
  );
  t.true(runs[0].results.length > 0);
});

test('a severity ends the command with 1 when there is one as bad, after all was printed', async (t) => {
  const { schematic, fleetctl } = await scene(t, () => ({}));
  const image = `--os-version v1.14.1 --schematic ${schematic}`;
  const all = JSON.parse((await fleetctl(`security scan ${image} -o json`)).out);
  const worst = all[0].scan.matches.map(({ vulnerability }: any) => vulnerability.severity.toLowerCase());
  for (const severity of ['critical', 'high', 'medium', 'low', 'negligible'] as const) {
    const { code, out, error } = await fleetctl(`security scan ${image} --fail-on ${severity} -o json`);
    const levels = ['critical', 'high', 'medium', 'low', 'negligible'];
    const bad = worst.filter(
      (one: string) => one === 'unknown' || levels.indexOf(one) <= levels.indexOf(severity),
    );
    t.is(code, bad.length > 0 ? 1 : 0, severity);
    t.is(JSON.parse(out).length, 1);
    if (bad.length > 0) t.regex(error, new RegExp(`${bad.length} of severity ${severity} or worse`));
  }
  t.is((await fleetctl(`security scan ${image} --fail-on terrible`)).code, 2);
});

test('what is made of and what a release says are printed as the factory has them, of one image', async (t) => {
  const { schematic, fleetctl } = await scene(t, two);
  const sbom = await fleetctl('security sbom east');
  t.is(sbom.code, 0, sbom.error);
  t.is(JSON.parse(sbom.out).spdxVersion, 'SPDX-2.3');
  t.is(JSON.parse((await fleetctl('security vex west')).out)['@context'], 'https://openvex.dev/ns/v0.2.0');
  const several = await fleetctl('security sbom');
  t.is(several.code, 2);
  t.true(several.error.includes(`v1.14.1 with ${schematic}, v1.14.2 with ${schematic}`), several.error);
  t.is((await fleetctl('security sbom --machine four')).code, 2);
});

test('an image that can not be scanned is named, and the others are told of', async (t) => {
  const { fleetctl } = await scene(t, (fullId) => ({
    one: { osVersion: 'v1.14.1', schematic: { fullId } },
    two: { osVersion: 'v1.14.1', schematic: { fullId: '0'.repeat(64) } },
    three: { osVersion: 'host\u001b[2J', schematic: { fullId } },
  }));
  const { code, out, error } = await fleetctl('security scan -o json');
  t.not(code, 0);
  t.deepEqual(
    JSON.parse(out).map(({ machines }: any) => machines),
    [['one']],
  );
  t.regex(error, /v1\.14\.1 amd64 0{64}: .*no such schematic/);
  t.regex(error, /os_version: must be a version/);
  t.false(error.includes('\u001b'));
});

test('flags that do not go together, and a fleet without a factory, are told of', async (t) => {
  const { schematic, fleetctl } = await scene(t, two, false);
  for (const line of [
    'security scan --os-version v1.14.1',
    `security scan --schematic ${schematic}`,
    `security scan east --os-version v1.14.1 --schematic ${schematic}`,
    'security scan east --machine one',
    'security scan -o xml',
  ])
    t.is((await fleetctl(line)).code, 2, line);
  const none = await fleetctl('security scan east');
  t.is(none.code, 1);
  t.regex(none.error, /this fleet has no image factory: --primary-factory-url/);
});
