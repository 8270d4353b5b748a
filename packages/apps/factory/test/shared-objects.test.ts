import { generateKeyPairSync } from 'node:crypto';
import { open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createCA, issueServer } from '@nodecore/pki';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import type { BucketOptions } from '../src/objects/bucket-options.ts';
import { Bucket } from '../src/objects/bucket.ts';
import { ObjectStore, type WriteObject } from '../src/objects/object-store.ts';
import { type InTurn, SharedObjects } from '../src/objects/shared-objects.ts';
import { Postgres } from '../src/postgres/postgres.ts';
import { optionsOf } from './bucket-of.ts';
import { postgresServer } from './postgres-server.ts';
import { s3Server } from './s3-server.ts';

const keys = generateKeyPairSync('ed25519');
const name = (digit: string): string => digit.repeat(64);
const content = Buffer.alloc(3 << 20, 'frames of a release. ');

type Factory = {
  readonly local: ObjectStore;
  readonly objects: SharedObjects;
  readonly directory: string;
  readonly warnings: readonly string[];
};

/** The objects of one more factory of a bucket. */
async function factoryOf(
  t: ExecutionContext,
  options: BucketOptions,
  inTurn: InTurn = (_name, work) => work(),
  nowMs?: () => number,
): Promise<Factory> {
  const directory = await temporaryDirectory(t);
  const warnings: string[] = [];
  const warn = (line: string): void => void warnings.push(line);
  const bucket = await Bucket.open(options, keys, warn);
  const local = await ObjectStore.open(directory, 1e9);
  return {
    local,
    objects: new SharedObjects({ local, bucket, inTurn, warn, ...(nowMs && { nowMs }) }),
    directory,
    warnings,
  };
}

/** Makes an object, and counts how often. */
function maker(bytes: Buffer = content): { readonly write: WriteObject; readonly made: () => number } {
  let made = 0;
  const write: WriteObject = async (file) => {
    made += 1;
    await file.writeFile(bytes);
  };
  return { write, made: () => made };
}

async function bytesOf({ objects }: Factory, object: string, write: WriteObject): Promise<Buffer> {
  using held = await objects.get(object, write);
  return Buffer.from(await held.view.bytes());
}

test('what one factory has made, another fetches, and keeps', async (t) => {
  const server = await s3Server(t);
  const options = await optionsOf(t, server);
  const [a, b] = [await factoryOf(t, options), await factoryOf(t, options)];
  const { write, made } = maker();
  for (const one of [a, b, b]) t.true((await bytesOf(one, name('a'), write)).equals(content));
  t.is(made(), 1);
  t.deepEqual(a.objects.counts(), { fetched: 0, put: 1, failed: 0 });
  t.deepEqual(b.objects.counts(), { fetched: 1, put: 0, failed: 0 });
  t.deepEqual([...server.objects.keys()], [`assets/${name('a')}`]);
  using held = await b.objects.get(name('a'), write);
  t.true(
    Buffer.from(await held.view.slice(1_000_000, 1_000_005).bytes()).equals(
      content.subarray(1_000_000, 1_000_005),
    ),
  );
});

testWith(program('postgres'), program('initdb'))(
  'of ten who ask two factories at once for what nobody has made, one makes it, also while the database goes',
  async (t) => {
    const server = await s3Server(t);
    const options = await optionsOf(t, server);
    const postgres = await postgresServer(t);
    const databases = await Promise.all([1, 2].map(() => Postgres.open({ url: postgres.url() })));
    t.teardown(() => Promise.all(databases.map((one) => one[Symbol.asyncDispose]())));
    const factories = await Promise.all(
      databases.map((database) => factoryOf(t, options, (object, work) => database.inTurn(object, work))),
    );
    const { write, made } = maker();
    const asked = Array.from({ length: 10 }, (_, index) => bytesOf(factories[index % 2]!, name('a'), write));
    for (const bytes of await Promise.all(asked)) t.true(bytes.equals(content));
    t.is(made(), 1);

    const late = maker();
    const got = await bytesOf(factories[0]!, name('b'), async (file, signal) => {
      await late.write(file, signal);
      await postgres.stop();
    });
    t.true(got.equals(content));
    t.is(late.made(), 1);
    t.true((await bytesOf(factories[0]!, name('c'), late.write)).equals(content));
    t.is(late.made(), 2);
    await postgres.start();
    const fails = factories[1]!.objects.get(name('d'), () => Promise.reject(new Error('no more')));
    await t.throwsAsync(fails, { message: 'no more' });
    t.true((await bytesOf(factories[1]!, name('d'), late.write)).equals(content));
  },
);

test('what is not what a factory has put there is made again, and put in its place', async (t) => {
  const server = await s3Server(t);
  const options = await optionsOf(t, server);
  const first = await factoryOf(t, options);
  const other = Buffer.from('another object');
  await bytesOf(first, name('a'), maker().write);
  await bytesOf(first, name('b'), maker(other).write);
  const [a, b] = [`assets/${name('a')}`, `assets/${name('b')}`];
  const whole = server.objects.get(a)!;
  const altered = Buffer.from(whole.bytes);
  altered[5] = altered[5]! ^ 1;
  const wrong = [
    { ...whole, bytes: altered },
    { ...whole, bytes: whole.bytes.subarray(0, -1) },
    { ...whole, bytes: Buffer.alloc(0) },
    { ...whole, bytes: Buffer.concat([whole.bytes, whole.bytes]) },
    { ...whole, metadata: {} },
    { ...whole, metadata: { ...whole.metadata, 'x-amz-meta-sha256': '0'.repeat(64) } },
    { ...whole, metadata: { 'x-amz-meta-signature': 'AAAA' } },
    server.objects.get(b)!,
  ];
  for (const kept of wrong) {
    server.objects.set(a, kept);
    const next = await factoryOf(t, options);
    const { write, made } = maker();
    t.true((await bytesOf(next, name('a'), write)).equals(content));
    t.is(made(), 1);
    t.true(next.objects.counts().failed > 0);
    t.true(server.objects.get(a)!.bytes.equals(content));
  }
  // Nothing of what nobody has signed comes onto the disk, however much it is.
  for (const metadata of [{}, { ...whole.metadata, 'x-amz-meta-sha256': '0'.repeat(64) }]) {
    server.objects.set(a, { bytes: Buffer.alloc(8 << 20), metadata });
    await using file = await open(join(await temporaryDirectory(t), 'file'), 'w+');
    const ours = await Bucket.open(options, keys, () => {});
    await t.throwsAsync(ours.read(name('a'), file), { code: 'ERR_FACTORY_STORE' });
    t.is((await file.stat()).size, 0);
  }
  server.objects.set(a, whole);
  const stranger = generateKeyPairSync('ed25519');
  const directory = await temporaryDirectory(t);
  const bucket = await Bucket.open(options, stranger, () => {});
  const local = await ObjectStore.open(directory, 1e9);
  const theirs = new SharedObjects({ local, bucket, inTurn: (_name, work) => work(), warn: () => {} });
  const { write, made } = maker();
  (await theirs.get(name('a'), write))[Symbol.dispose]();
  t.is(made(), 1);
});

test('a bucket that fails costs time alone, is told of once, and is used again when it is better', async (t) => {
  const server = await s3Server(t);
  const options = await optionsOf(t, server);
  await bytesOf(await factoryOf(t, options), name('a'), maker().write);
  const factory = await factoryOf(t, options);
  const { write, made } = maker();
  server.fault = 'cut';
  t.true((await bytesOf(factory, name('a'), write)).equals(content));
  server.fault = 'refuse';
  t.true((await bytesOf(factory, name('b'), write)).equals(content));
  t.is(made(), 2);
  t.false(server.objects.has(`assets/${name('b')}`));
  server.fault = undefined;
  t.true((await bytesOf(factory, name('c'), write)).equals(content));
  const at = `cache.s3: ${server.endpoint}/factory`;
  t.is(factory.warnings.filter((line) => line.endsWith('answers again')).length, 2);
  t.is(factory.warnings.at(-1), `${at}: answers again`);
  t.deepEqual(
    factory.warnings.filter((line) => line.includes('SlowDown')),
    [`${at}: SlowDown: images are made here until it is better`],
  );
  t.deepEqual((await readdir(factory.directory)).sort(), ['a', 'b', 'c'].map(name));
});

test('a bucket that asks for patience again and again is one that does not answer', async (t) => {
  t.timeout(20_000, 'it is waited for');
  const server = await s3Server(t);
  const options = { ...(await optionsOf(t, server)), silentMs: 500 };
  const factory = await factoryOf(t, options);
  const { write, made } = maker();
  server.fault = 'patience';
  t.true((await bytesOf(factory, name('a'), write)).equals(content));
  t.is(made(), 1);
  await server.idle();
  t.deepEqual(factory.warnings, [
    `cache.s3: ${server.endpoint}/factory: ETIMEDOUT: images are made here until it is better`,
  ]);
  const warnings: string[] = [];
  await Bucket.open(options, keys, (line) => void warnings.push(line));
  t.deepEqual(warnings, [`cache.s3: ${server.endpoint}/factory: ETIMEDOUT: asked again when it is needed`]);
});

test('a bucket that is silent is waited for once, and asked again later', async (t) => {
  t.timeout(20_000, 'it is waited for');
  const server = await s3Server(t);
  let now = 0;
  const options = { ...(await optionsOf(t, server)), silentMs: 500 };
  const factory = await factoryOf(t, options, undefined, () => now);
  const { write, made } = maker();
  server.fault = 'silence';
  server.requests.length = 0;
  for (const digit of ['a', 'b', 'c']) t.true((await bytesOf(factory, name(digit), write)).equals(content));
  t.is(server.requests.length, 1);
  t.is(made(), 3);
  t.is(factory.objects.counts().failed, 1);
  server.fault = undefined;
  for (const [digit, isThere] of [
    ['d', false],
    ['e', true],
  ] as const) {
    t.true((await bytesOf(factory, name(digit), write)).equals(content));
    t.is(server.objects.has(`assets/${name(digit)}`), isThere);
    now = 60_000;
  }
});

test('a factory that ends waits neither for a bucket that is silent nor for its turn, and keeps nothing', async (t) => {
  const server = await s3Server(t);
  const options = await optionsOf(t, server);
  const asked = Promise.withResolvers<void>();
  const waiting = await factoryOf(t, options, () => {
    asked.resolve();
    return new Promise(() => {});
  });
  const silent = await factoryOf(t, options);
  const ends = { code: 'ERR_FACTORY_STORE', message: 'the factory ends' };
  const { write, made } = maker();
  const turn = t.throwsAsync(waiting.objects.get(name('a'), write), ends);
  await asked.promise;
  server.fault = 'silence';
  const heard = server.heard();
  const fetched = t.throwsAsync(silent.objects.get(name('a'), write), ends);
  await heard;
  for (const { local } of [waiting, silent]) await local[Symbol.asyncDispose]();
  await Promise.all([turn, fetched]);
  for (const { directory, warnings } of [waiting, silent]) {
    t.deepEqual(await readdir(directory), []);
    t.deepEqual(warnings, []);
  }
  t.is(made(), 0);
});

test('with TLS the endpoint is proven by its authority, and new credentials count without a restart', async (t) => {
  const [authority, other] = [await createCA('kvstore'), await createCA('kvstore')];
  const { crt, key } = await issueServer(authority, { names: ['127.0.0.1'] });
  const server = await s3Server(t, { cert: crt, key: Buffer.from(key.bytes).toString() });
  const directory = await temporaryDirectory(t);
  const [caPath, wrongPath] = [join(directory, 'ca'), join(directory, 'other')];
  await writeFile(caPath, authority.crt);
  await writeFile(wrongPath, other.crt);
  for (const secret of [key, authority.key, other.key]) secret[Symbol.dispose]();
  const options = { ...(await optionsOf(t, server)), isInsecure: false, caPath };
  const factory = await factoryOf(t, options);
  const { write, made } = maker();
  await bytesOf(factory, name('a'), write);
  for (const refused of [
    { ...options, caPath: wrongPath },
    { ...options, caPath: undefined },
  ]) {
    const { caPath: path, ...others } = refused;
    await t.throwsAsync(
      Bucket.open({ ...others, ...(path !== undefined && { caPath: path }) }, keys, () => {}),
      {
        code: 'ERR_FACTORY_SETUP',
        message: /^cache\.s3\.caPath: .*(?:UNABLE_TO|SELF_SIGNED)/,
      },
    );
  }
  server.secrets.set('factory', 'correct horse'.replace(' ', '-'));
  await bytesOf(factory, name('b'), write);
  t.is(factory.objects.counts().put, 1);
  await writeFile(
    options.credentialsPath ?? '',
    'aws_access_key_id=factory\naws_secret_access_key=correct-horse\naws_session_token=t\n',
  );
  await bytesOf(factory, name('c'), write);
  t.is(factory.objects.counts().put, 2);
  t.is(made(), 3);
});
