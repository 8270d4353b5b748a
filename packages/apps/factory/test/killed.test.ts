import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

import { program as needs, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { type FactoryOptions, startFactory } from '../src/index.ts';
import { dockerRegistry } from './docker-registry.ts';
import { postgresServer } from './postgres-server.ts';
import { ask, factoryOptions, type Running, submit, writeRelease } from './running-factory.ts';
import { optionsOf } from './bucket-of.ts';
import { s3Server } from './s3-server.ts';

const program = new URL('../bin/nodecore-factory.js', import.meta.url).pathname;

type Given = { readonly options: FactoryOptions; readonly key: string; readonly directory: string };

async function given(t: ExecutionContext): Promise<Given> {
  const { directory, ...options } = await factoryOptions(t);
  const key = join(directory, 'installer.key');
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', key], { stdio: 'ignore' });
  return { options: { ...options, installerSigningKey: key }, key, directory };
}

/** A factory as a program. @param configuration besides. */
async function serving(
  t: ExecutionContext,
  { options, key, directory }: Given,
  configuration: object,
): Promise<{ readonly child: ChildProcessByStdio<null, Readable, null>; readonly url: string }> {
  const config = join(directory, 'factory.yaml'); // which is JSON, too
  await writeFile(config, JSON.stringify({ installer: { signingKeyPath: key }, ...configuration }));
  const { releases, releaseKeys, storage } = options;
  const flags = ['--releases', releases, '--release-key', releaseKeys[0]!, '--storage', storage];
  const words = ['serve', '--listen', '127.0.0.1:0', '--config', config, ...flags];
  const external = ['--external-url', options.externalUrl ?? ''];
  const child = spawn(process.execPath, [program, ...words, ...external], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, url: `http://${/\((127\.0\.0\.1:\d+)\)/.exec(line)?.[1]}` };
}

/** In this process, on what the program has left. */
async function again(t: ExecutionContext, options: FactoryOptions): Promise<Running> {
  const factory = await startFactory(options);
  t.teardown(() => factory.close());
  return { factory, directory: options.storage, options };
}

/** Eight clients submit schematics until the program is killed. @returns what each had for an answer, by its text. */
async function submitUntilKilled(url: string, kill: () => void): Promise<ReadonlyMap<string, boolean>> {
  const answered = new Map<string, boolean>();
  let count = 0;
  const client = async (name: number): Promise<void> => {
    for (let round = 0; ; round += 1) {
      const text = `customization:\n    extraKernelArgs:\n        - client=${name}.${round}\n`;
      answered.set(text, false);
      const answer = await fetch(`${url}/schematics`, { method: 'POST', body: text }).catch(() => undefined);
      if (answer?.status !== 201) return;
      answered.set(text, true);
      count += 1;
      if (count === 40) kill();
    }
  };
  await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(client));
  return answered;
}

const idOf = (text: string): string => createHash('sha256').update(text).digest('hex');

type Store = { readonly configuration: object; readonly options: Partial<FactoryOptions> };

async function schematicsAreWhole(
  t: ExecutionContext,
  store: (t: ExecutionContext) => Promise<Store>,
): Promise<void> {
  const all = await given(t);
  const { configuration, options } = await store(t);
  const { child, url } = await serving(t, all, configuration);
  const ended = once(child, 'exit');
  const answered = await submitUntilKilled(url, () => child.kill('SIGKILL'));
  t.deepEqual(await ended, [null, 'SIGKILL']);

  const running = await again(t, { ...all.options, ...options });
  for (const [text, isAnswered] of answered) {
    const { status, body } = await ask(running, `/schematics/${idOf(text)}`);
    if (isAnswered || status === 200) t.is(body.toString(), text);
    else t.is(status, 404);
    t.is(await submit(running, text), idOf(text));
  }
  t.true([...answered.values()].filter((isAnswered) => isAnswered).length >= 40);
}

const title =
  'a factory that is killed while schematics are submitted has kept those that it answered, and none in halves: in';

test(`${title} files`, schematicsAreWhole, () => Promise.resolve({ configuration: {}, options: {} }));

testWith(needs('postgres'), needs('initdb'))(`${title} a database`, async (t) => {
  await schematicsAreWhole(t, async () => {
    const url = (await postgresServer(t)).url();
    return { configuration: { storage: { postgres: { url } } }, options: { postgres: { url } } };
  });
});

testWith(needs('docker-registry'))(`${title} a registry`, async (t) => {
  await schematicsAreWhole(t, async () => {
    const registry = await dockerRegistry(t);
    return {
      configuration: { artifacts: { schematic: { registry } } },
      options: { schematicRegistry: { registry, repository: 'schematics' } },
    };
  });
});

test('a factory that is killed while an object is on its way to or from a bucket leaves none in halves, here or there', async (t) => {
  const all = await given(t);
  await writeRelease(all.options.releases, 'v1.14.1', { 'os/large': randomBytes(6 << 20) });
  const server = await s3Server(t);
  const bucket = await optionsOf(t, server);
  const { isInsecure, ...others } = bucket;
  const s3 = { ...others, enabled: true, insecure: isInsecure };
  const text = 'customization: {systemExtensions: {officialExtensions: [os/large]}}';
  const alone = await again(t, { ...all.options, storage: join(all.directory, 'alone') });
  const path = `/image/${await submit(alone, text)}/v1.14.1/metal-amd64.raw.zst`;
  const { body: expected } = await ask(alone, path);

  const killOnTheWay = async (storage: string): Promise<void> => {
    const { child, url } = await serving(
      t,
      { ...all, options: { ...all.options, storage } },
      { cache: { s3 } },
    );
    await fetch(`${url}/schematics`, { method: 'POST', body: text });
    server.fault = 'hold';
    const held = server.held();
    const asked = fetch(`${url}${path}`).catch(() => {});
    await held;
    child.kill('SIGKILL');
    await Promise.all([once(child, 'exit'), asked]);
    server.fault = undefined;
  };

  // To the bucket, which is empty, and from it.
  for (const [name, count] of [
    ['one', 0],
    ['two', 2],
  ] as const) {
    const storage = join(all.directory, name);
    await killOnTheWay(storage);
    t.is(server.objects.size, count);
    const objects = join(storage, 'objects');
    const left = await readdir(objects);
    t.true(left.length > 0 && left.every((each) => each.endsWith('.part')), left.join(' '));
    const running = await again(t, { ...all.options, storage, bucket });
    t.deepEqual(await readdir(objects), []);
    t.true((await ask(running, path)).body.equals(expected));
    t.is(server.objects.size, 2);
  }
});
