import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { ClusterDirectory, type ClusterPlan, factoryOf, makePlan, readRequest } from '../src/index.ts';
import { startOwnFactory } from '../src/keeper/factory-program.ts';
import {
  type FactoryPlace,
  factoryPlace,
  hereOf,
  ownFactoryProblems,
  withOwnFactory,
} from '../src/own-factory.ts';
import { freePort } from '../src/preflight.ts';
import { usualFlags } from './requests.ts';

const { imageFactoryUrl: _url, ...flags } = usualFlags;
const request = readRequest({ ...flags, presets: ['iso'] });
const version = request.version;

/** A checkout whose release is one file, and whose factory answers with its own command line. */
const builder = `
import { mkdirSync, writeFileSync } from 'node:fs';
const version = process.argv.at(-1);
console.log('     0.1 s  root\\n     0.2 s  signing\\n\\nFiles:\\n  base.sqsh 1 MB');
mkdirSync(import.meta.dirname + '/../../../../.cache/releases/' + version, { recursive: true });
writeFileSync(import.meta.dirname + '/../../../../.cache/releases/' + version + '/release.json', '{}');
`;
const factory = `#!/usr/bin/env node
import { createServer } from 'node:http';
const [host, port] = process.argv[process.argv.indexOf('--listen') + 1].split(':');
const submitted = [];
const answer = () => JSON.stringify({ words: process.argv.slice(2), pid: process.pid, submitted });
createServer(async (request, response) => {
  if (request.method === 'POST') {
    submitted.push(request.url + ' ' + (await request.toArray()).join(''));
    if (process.env.FULL) response.statusCode = 507;
    response.end(process.env.FULL ? 'no room' : '{}');
  } else response.end(answer());
}).listen(Number(port), host, () => {
  console.log('nodecore-factory answers at ' + host);
});
`;

async function someCheckout(t: ExecutionContext): Promise<FactoryPlace> {
  const home = await temporaryDirectory(t);
  const files = {
    'packages/apps/factory/bin/nodecore-factory.js': factory,
    'packages/image/release/src/main.ts': builder,
    'package.json': '{ "type": "module" }',
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(home, name, '..'), { recursive: true });
    await writeFile(join(home, name), text);
    await chmod(join(home, name), 0o755);
  }
  const place = factoryPlace(home);
  if (place === undefined) throw new Error('it is a checkout');
  return place;
}

type Answer = {
  readonly words: readonly string[];
  readonly pid: number;
  readonly submitted: readonly string[];
};

async function ask({ factory: place }: ClusterPlan): Promise<Answer> {
  return (await (await fetch(`http://127.0.0.1:${place?.port}/`)).json()) as Answer;
}

test('a cluster without the URL of a factory has its own, which the plan places', (t) => {
  const plan = withOwnFactory(makePlan(request, '0'.repeat(32)), 45_678);
  t.deepEqual(plan.lan?.outlets, [{ port: 8081, target: { address: '127.0.0.1', port: 45_678 } }]);
  t.is(factoryOf(plan), '10.5.0.1:8081');
  const url = 'iso' in request.image ? request.image.iso : '';
  t.is(hereOf(plan, url), url.replace('http://own-factory.invalid', 'http://127.0.0.1:45678'));
  t.is(hereOf(plan, 'http://factory.example/image'), 'http://factory.example/image');
  t.deepEqual(makePlan(request, '0'.repeat(32)).lan?.outlets, [], 'and nothing is there before');
  const fleet = { ...flags, fleetApiEndpoint: 'http://127.0.0.1:8081/?jointoken=a' };
  const beside = withOwnFactory(makePlan(readRequest(fleet), '0'.repeat(32)), 45_678);
  t.is(factoryOf(beside), '10.5.0.1:8082', 'a fleet manager has the usual port');
});

test('what is of no checkout, and another version than that of the checkout, is refused with what to give', async (t) => {
  t.regex(ownFactoryProblems(request, undefined).join(), /^--image-factory-url is missing: .* no checkout/);
  const container = { ...request, factory: '', image: { root: 'http://own-factory.invalid/image/x' } };
  t.regex(ownFactoryProblems(container, undefined).join(), /^--image is missing: .*base\.sqsh/);
  t.deepEqual(ownFactoryProblems(readRequest(usualFlags), undefined), []);
  const ofFile = readRequest({ ...flags, diskImagePath: '/node.raw' });
  t.deepEqual(ownFactoryProblems(ofFile, undefined), [], 'what is here is started without one');
  const place = await someCheckout(t);
  t.deepEqual(ownFactoryProblems(request, place), []);
  t.regex(
    ownFactoryProblems({ ...request, version: 'v2.0.0' }, place).join(),
    /npm run release -- --version v2/,
  );
  t.is(factoryPlace('/usr/lib/node_modules/osctl'), undefined);
});

test('the release is built before the first start, and a factory that dies is started again at its port', async (t) => {
  const place = await someCheckout(t);
  const home = await temporaryDirectory(t);
  const directory = new ClusterDirectory(home, 'example');
  await mkdir(directory.lan, { recursive: true });
  const plan = withOwnFactory(makePlan(request, '0'.repeat(32)), await freePort());
  const said: string[] = [];
  let again = Promise.withResolvers<void>();
  const say = (line: string): void => {
    said.push(line);
    if (line.endsWith('serves again')) again.resolve();
  };
  const started = await startOwnFactory(plan, directory, join(home, 'storage'), say, place);
  t.deepEqual(said, [
    `there is no release ${version} of this checkout yet: it is built, which takes minutes`,
    'release: 0.1 s  root',
    'release: 0.2 s  signing',
  ]);
  const first = await ask(plan);
  t.deepEqual(first.submitted, ['/schematics {}'], 'of which the images are that nobody says more about');
  const words = ['--releases', place.releases, '--storage', join(home, 'storage')];
  t.deepEqual(first.words, [
    'serve',
    '--listen',
    `127.0.0.1:${plan.factory?.port}`,
    ...words,
    '--external-url',
    'http://10.5.0.1:8081',
  ]);
  process.kill(first.pid, 'SIGKILL');
  await again.promise;
  t.not((await ask(plan)).pid, first.pid);
  await started[Symbol.asyncDispose]();
  await t.throwsAsync(ask(plan));
  said.length = 0;
  again = Promise.withResolvers();
  await using _second = await startOwnFactory(plan, directory, join(home, 'storage'), say, place);
  t.deepEqual(said, [], 'the release is there now');
  t.regex(await readFile(join(directory.lan, 'factory.log'), 'utf8'), /answers at/);
});

test('a release that can not be built is told with the last line of its build', async (t) => {
  const place = await someCheckout(t);
  const script = join(place.releases, '../../broken.js');
  await writeFile(script, "console.error('no compiler'); process.exit(3);");
  const broken = { ...place, build: [process.execPath, script] };
  const directory = new ClusterDirectory(await temporaryDirectory(t), 'example');
  const plan = withOwnFactory(makePlan(request, '0'.repeat(32)), await freePort());
  await t.throwsAsync(
    startOwnFactory(plan, directory, directory.path, () => {}, broken),
    {
      code: 'ERR_CLUSTER_IMAGE',
      message: /can't be built: no compiler$/,
    },
  );
});

test('a factory that takes no schematic ends, and says why', async (t) => {
  const place = await someCheckout(t);
  const home = await temporaryDirectory(t);
  const directory = new ClusterDirectory(home, 'example');
  await mkdir(directory.lan, { recursive: true });
  const plan = withOwnFactory(makePlan(request, '0'.repeat(32)), await freePort());
  const full: FactoryPlace = { ...place, serve: ['env', 'FULL=1', ...place.serve] };
  await t.throwsAsync(
    startOwnFactory(plan, directory, join(home, 'storage'), () => {}, full),
    {
      code: 'ERR_CLUSTER_IMAGE',
      message: /takes no schematic: 507: no room$/,
    },
  );
  await t.throwsAsync(ask(plan));
});
