import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Osconfig } from '@nodecore/api';
import { MachineService } from '@nodecore/api/machine';
import { decodeServiceAccount, saveKey } from '@nodecore/authv1';
import { startFleet } from '@nodecore/fleet';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { type Outcome, osctl } from './command-line.ts';

type Call = { readonly headers: Readonly<Record<string, unknown>>; readonly caller: string };
type Scene = {
  readonly home: string;
  readonly calls: Call[];
  readonly run: (line: string, env?: Record<string, string>) => Promise<Outcome>;
};

/** A fleet manager whose machines answer one call, and a context for it. */
async function scene(t: ExecutionContext): Promise<Scene> {
  const home = await temporaryDirectory(t);
  const keyPath = join(home, 'account');
  const calls: Call[] = [];
  const { features } = await import('../../fleet/src/features.ts');
  const fleet = await startFleet({
    log: pino({ level: 'silent' }),
    configuration: {
      listen: { host: '127.0.0.1', port: 0 },
      advertisedUrl: new URL('https://127.0.0.1:8080'),
      stateFile: join(home, 'fleet.db'),
      initialServiceAccount: { name: 'automation', keyPath },
    },
    features: [
      ...features.filter(({ name }) => name === 'states' || name === 'accounts'),
      {
        name: 'one machine',
        definitions: [],
        make: () => ({
          services: ({ callerOf }) => [
            {
              definition: MachineService,
              handlers: {
                version: (call: { metadata: never }, reply: (error: null, answer: object) => void) => {
                  calls.push({
                    headers: (call.metadata as { getMap: () => Record<string, unknown> }).getMap(),
                    caller: callerOf(call).identity,
                  });
                  reply(null, { version: '1.14.0' });
                },
              } as never,
            },
          ],
        }),
      },
    ],
  });
  t.teardown(async () => await fleet[Symbol.asyncDispose]());
  const { name: identity, key } = decodeServiceAccount(await readFile(keyPath, 'latin1'));
  const place = { env: { HOME: home } };
  await saveKey(place, { context: 'fleet', identity }, key);
  key[Symbol.dispose]();
  const path = join(home, 'config');
  const config = Osconfig.empty(path);
  const endpoints = [`https://127.0.0.1:${fleet.address.port}`];
  config.set('fleet', { endpoints, identity, ca: fleet.authority });
  config.use('fleet');
  await writeFile(path, config.encode());
  return {
    home,
    calls,
    run: async (line, env = {}) =>
      await osctl(line.split(' '), { env: { HOME: home, OSCONFIG: path, ...env } }),
  };
}

test('a context of a fleet signs each call, and names the machine that it is for', async (t) => {
  const { calls, run } = await scene(t);
  const said = await run('-n one,two version');
  t.is(said.code, 0, said.error);
  t.deepEqual(
    calls
      .map(({ headers, caller }) => `${String(headers['node'])} ${String(headers['runtime'])} ${caller}`)
      .toSorted(),
    ['one', 'two'].map((node) => `${node} nodeos automation@serviceaccount.fleet`),
  );
  t.is((await run('-n one -c prod version')).code, 0);
  t.is(calls.at(-1)?.headers['context'], 'prod');
});

test('a fleet is no node: which machines are meant has to be said', async (t) => {
  const { run } = await scene(t);
  const said = await run('version');
  t.is(said.code, 2);
  t.regex(said.error, /say which machines with -n/u);
});

test('the key is where the flag says, then the variable, then in the home directory; a missing one is named', async (t) => {
  const { home, run, calls } = await scene(t);
  const name = 'fleet-automation@serviceaccount.fleet.pgp';
  const missing = await run('-n one version --authv1-keys-dir /flag', { AUTHV1_KEYS_DIR: '/variable' });
  t.is(missing.code, 1);
  t.true(missing.error.includes(`/flag/${name} does not exist`), missing.error);
  t.true((await run('-n one version', { AUTHV1_KEYS_DIR: '/variable' })).error.includes(`/variable/${name}`));
  await rename(join(home, '.os/keys'), join(home, 'moved'));
  t.true((await run('-n one version')).error.includes(join(home, '.os/keys', name)));
  t.is(calls.length, 0);
  t.is((await run(`-n one version --authv1-keys-dir ${join(home, 'moved')}`)).code, 0);
});

test('a context that has another method does not ignore the directory of keys', async (t) => {
  const path = join(await temporaryDirectory(t), 'config');
  await writeFile(path, 'context: a\ncontexts:\n  a:\n    endpoints: [127.0.0.1]\n');
  const { code, error } = await osctl(['disks', '--authv1-keys-dir', 'keys'], { env: { OSCONFIG: path } });
  t.is(code, 2);
  t.regex(error, /context "a" has no authv1 method/u);
});

test('the context shows who signs', async (t) => {
  const { run } = await scene(t);
  t.regex((await run('config info')).out, /Signs as: +automation@serviceaccount\.fleet/u);
});
