import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { type RunningFleet, startFleet } from '@nodecore/fleet';
import { machines } from '@nodecore/fleet-api';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { run } from '../src/main.ts';

type Said = { readonly code: number; readonly out: string; readonly error: string };
type Scene = {
  readonly fleet: RunningFleet;
  readonly home: string;
  readonly keyFile: string;
  readonly code: string;
  readonly url: string;
  readonly fleetctl: (line: string, input?: string, env?: Record<string, string>) => Promise<Said>;
};

/** A fleet manager in this process, and fleetctl with a home directory of its own. */
async function scene(t: ExecutionContext): Promise<Scene> {
  const home = await temporaryDirectory(t);
  const keyFile = join(home, 'account');
  const lines: string[] = [];
  const fleet = await startFleet({
    log: pino({ level: 'silent' }),
    announce: (line) => lines.push(line),
    configuration: {
      listen: { host: '127.0.0.1', port: 0 },
      advertisedUrl: new URL('https://127.0.0.1:8080'),
      stateFile: join(home, 'fleet.db'),
      initialUser: 'me@example.org',
      initialServiceAccount: { name: 'automation', keyPath: keyFile },
    },
    features: [
      ...(await import('../../fleet/src/features.ts')).features.filter(({ name }) => name !== 'machines'),
      {
        name: 'one machine',
        definitions: [machines],
        make: ({ state }) => ({
          prepare: async () => {
            const key = { namespace: 'default', type: machines.type, id: 'one' };
            await state.create(
              key,
              { connected: true, remoteAddress: '10.0.0.5', changedAt: 'now' },
              { labels: { site: 'a' } },
            );
          },
        }),
      },
    ],
  });
  t.teardown(async () => await fleet[Symbol.asyncDispose]());
  const fleetctl = async (line: string, input = '', env: Record<string, string> = {}): Promise<Said> => {
    const out = new PassThrough();
    const error = new PassThrough();
    const terminal = {
      out,
      error,
      input: new PassThrough().end(input),
      env: { HOME: home, ...env },
      signal: new AbortController().signal,
    };
    const said = Promise.all([text(out), text(error)]);
    const code = await run(line.split(' '), terminal);
    out.end();
    error.end();
    const [outText, errorText] = await said;
    return { code, out: outText, error: errorText };
  };
  const url = `https://127.0.0.1:${fleet.address.port}`;
  return { fleet, home, keyFile, code: lines[0]!.split(' ').at(-1)!, url, fleetctl };
}

test('from the pin and the key of an account to the machines', async (t) => {
  const { fleet, home, keyFile, url, fleetctl } = await scene(t);
  const added = await fleetctl(
    `config add fleet --url ${url} --fleetca sha256:${fleet.fleetCa} --service-account-key ${keyFile}`,
  );
  t.is(added.code, 0, added.error);
  const keyPath = join(home, '.os/keys/fleet-automation@serviceaccount.fleet.pgp');
  t.is((await stat(keyPath)).mode & 0o777, 0o600);
  t.is((await stat(join(home, '.os/fleet/config'))).mode & 0o777, 0o600);
  t.false((await readFile(join(home, '.os/fleet/config'), 'utf8')).includes('PRIVATE'));

  const table = await fleetctl('get machines');
  t.is(table.code, 0, table.error);
  t.regex(table.out, /one +1 +true +10\.0\.0\.5/u);
  const json = JSON.parse((await fleetctl('get machine one -o json')).out) as { metadata: { id: string } };
  t.is(json.metadata.id, 'one');
  t.is((await fleetctl('get machines -o jsonpath={.items[*].metadata.id}')).out.trim(), 'one');
  t.regex((await fleetctl('get machines -l site=a')).out, /one/u);
  t.notRegex((await fleetctl('get machines -l site!=a')).out, /one/u);
  t.is((await fleetctl('get machine two')).code, 3);
  t.is((await fleetctl('get nothing')).code, 3);
  t.regex((await fleetctl('get rd')).out, /machines\.fleet\.nodecore\.dev/u);
  t.regex((await fleetctl('config info')).out, new RegExp(`Key: +${keyPath}`, 'u'));
  t.regex((await fleetctl('web')).out, /^https:\/\/127\.0\.0\.1:8080\/login#[\w-]{43}\n$/u);
  t.regex((await fleetctl('config contexts')).out, /\* +fleet/u);
});

test('a context without a key says which file it looked for', async (t) => {
  const { home, url, fleetctl, fleet } = await scene(t);
  await fleetctl(`config add fleet --url ${url} --fleetca sha256:${fleet.fleetCa} --identity me@example.org`);
  const said = await fleetctl('get machines');
  t.is(said.code, 1);
  t.true(said.error.includes(join(home, '.os/keys/fleet-me@example.org.pgp')), said.error);
  const elsewhere = await fleetctl('get machines --authv1-keys-dir /nowhere');
  t.true(elsewhere.error.includes('/nowhere/fleet-me@example.org.pgp'), elsewhere.error);
});

test('osconfig replaces a context of the fleet, and none that goes to nodes', async (t) => {
  const { home, url, fleetctl, fleet } = await scene(t);
  await fleetctl(`config add fleet --url ${url} --fleetca sha256:${fleet.fleetCa} --identity me@example.org`);
  const file = join(home, '.os/config');
  const nodes = 'context: fleet\ncontexts: {fleet: {endpoints: [10.0.0.2], nodes: [10.0.0.2]}}\n';
  await writeFile(file, nodes);
  const refused = await fleetctl('osconfig');
  t.is(refused.code, 2);
  t.regex(refused.error, /context "fleet" exists in .* and goes to no fleet: rename it/u);
  t.is(await readFile(file, 'utf8'), nodes);
  const other = join(home, 'other');
  for (let times = 0; times < 2; times += 1) t.is((await fleetctl(`osconfig ${other}`)).code, 0);
  t.regex(await readFile(other, 'utf8'), /me@example\.org/u);
});

test('a user logs in by a code, once', async (t) => {
  const { url, fleetctl, fleet, code } = await scene(t);
  await fleetctl(`config add fleet --url ${url} --fleetca sha256:${fleet.fleetCa} --identity me@example.org`);
  t.is((await fleetctl('login', 'AAAAA\n')).code, 4);
  const login = await fleetctl('login', `${code}\n`);
  t.is(login.code, 0, login.error);
  t.regex((await fleetctl('get machines')).out, /one/u);
  t.is((await fleetctl('login', `${code}\n`)).code, 4);
});

test('join tokens are made, listed and revoked, and a revoked one has no join URL', async (t) => {
  const { url, fleetctl, fleet, keyFile } = await scene(t);
  await fleetctl(
    `config add fleet --url ${url} --fleetca sha256:${fleet.fleetCa} --service-account-key ${keyFile}`,
  );
  const made = await fleetctl('jointoken create site-a --ttl 1h');
  t.regex(
    made.out,
    new RegExp(`^https://127\\.0\\.0\\.1:8080/\\?jointoken=\\w{43}&fleetca=sha256:${fleet.fleetCa}\n$`, 'u'),
  );
  t.regex((await fleetctl('jointoken list')).out, /site-a +ACTIVE/u);
  t.regex(
    (await fleetctl('jointoken machine-config')).out,
    /^apiVersion: v1alpha1\nkind: LinkAgentConfig\napiUrl: "https/u,
  );
  t.is((await fleetctl('jointoken revoke site-a')).code, 0);
  t.regex((await fleetctl('jointoken list')).out, /site-a +REVOKED/u);
  t.regex((await fleetctl('jointoken machine-config --token-id site-a')).error, /it is revoked/u);
});

test('a service account is printed for the environment, commented out', async (t) => {
  const { url, fleetctl, fleet, keyFile } = await scene(t);
  await fleetctl(
    `config add fleet --url ${url} --fleetca sha256:${fleet.fleetCa} --service-account-key ${keyFile}`,
  );
  const made = await fleetctl('serviceaccount create robot --role Reader');
  t.regex(made.out, /^# FLEET_ENDPOINT=https:\S+\n# FLEET_SERVICE_ACCOUNT_KEY=[A-Za-z0-9+/=]+\n$/u);
  const variables = Object.fromEntries(
    [...made.out.matchAll(/^# (\w+)=(.+)$/gmu)].map(([, name, value]) => [name!, value!]),
  );
  t.regex((await fleetctl('get machines', '', variables)).out, /one/u);
  t.is((await fleetctl('jointoken create x', '', variables)).code, 4); // it is a reader
  const alone = { ...variables, FLEETCONFIG: '/nonexistent' };
  t.is((await fleetctl('get machines', '', alone)).code, 1); // no public authority vouches for this fleet
  t.regex((await fleetctl('get machines --insecure-skip-tls-verify', '', alone)).out, /one/u);
  t.is((await fleetctl('get machines', '', { FLEET_SERVICE_ACCOUNT_KEY: 'x' })).code, 1);
  t.is((await fleetctl('serviceaccount create robot')).code, 1);
  t.is((await fleetctl('serviceaccount destroy robot')).code, 0);
});

test('another fleet than the pinned one is not added', async (t) => {
  const { url, fleetctl, keyFile } = await scene(t);
  const said = await fleetctl(
    `config add fleet --url ${url} --fleetca sha256:${'0'.repeat(64)} --service-account-key ${keyFile}`,
  );
  t.is(said.code, 1);
  t.regex(said.error, /not the one that --fleetca names/u);
  t.regex((await fleetctl('get machines')).error, /fleetctl config add/u);
});
