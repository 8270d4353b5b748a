import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import { aborted } from '@nodecore/waiting';
import test from 'ava';

import { ObjectStore, type WriteObject } from '../src/objects/object-store.ts';

const name = (digit: string): string => digit.repeat(64);
const nameOf = (index: number): string => index.toString(16).padStart(64, '0');
const bytes =
  (size: number, fill = 1): WriteObject =>
  (file) =>
    file.writeFile(Buffer.alloc(size, fill));

test('an object is made once however many ask, and is there after a restart', async (t) => {
  const directory = await temporaryDirectory(t);
  const store = await ObjectStore.open(directory, 1e6);
  let made = 0;
  const write: WriteObject = async (file) => {
    made += 1;
    await file.writeFile('content');
  };
  const all = await Promise.all(Array.from({ length: 50 }, () => store.get(name('a'), write)));
  for (const held of all) t.is(String(await held.view.bytes()), 'content');
  all.forEach((held) => held[Symbol.dispose]());
  using again = await (await ObjectStore.open(directory, 1e6)).get(name('a'), write);
  t.is(String(await again.view.bytes()), 'content');
  t.is(made, 1);
  t.is((await stat(directory)).mode & 0o777, 0o700);
  t.is((await stat(join(directory, name('a')))).mode & 0o777, 0o600);
});

test('what was used longest ago goes, and what somebody holds stays', async (t) => {
  const directory = await temporaryDirectory(t);
  const store = await ObjectStore.open(directory, 250);
  const first = await store.get(name('a'), bytes(100));
  for (const digit of ['b', 'c', 'b', 'd']) (await store.get(name(digit), bytes(100)))[Symbol.dispose]();
  t.is((await first.view.bytes()).length, 100);
  t.is(store.sizeBytes, 200);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  t.is(store.sizeBytes, 200);
  (await store.get(name('e'), bytes(100)))[Symbol.dispose]();
  t.is(store.sizeBytes, 200);
  await store.settled();
  t.deepEqual((await readdir(directory)).sort(), [name('d'), name('e')]);
  const large = await store.get(name('f'), bytes(1000));
  t.is((await large.view.bytes()).length, 1000);
  large[Symbol.dispose]();
  t.is(store.sizeBytes, 0);
});

const fails: WriteObject = async (file) => {
  await file.writeFile('half');
  throw new Error('no more');
};

test('what fails is not kept, and the next one tries again', async (t) => {
  const directory = await temporaryDirectory(t);
  const store = await ObjectStore.open(directory, 1e6);
  await t.throwsAsync(store.get(name('a'), fails), { message: 'no more' });
  t.deepEqual(await readdir(directory), []);
  using held = await store.get(name('a'), bytes(3));
  t.is(held.view.size, 3);
});

test('a store that is full gives up what nobody holds, and says so when that is not enough', async (t) => {
  const directory = await temporaryDirectory(t);
  const store = await ObjectStore.open(directory, 1e6);
  (await store.get(name('a'), bytes(100)))[Symbol.dispose]();
  const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  const room = 150;
  const onSmallDisk: WriteObject = async (file) => {
    if (store.sizeBytes + 100 > room) throw full;
    await file.writeFile(Buffer.alloc(100, 1));
  };
  const held = await store.get(name('b'), onSmallDisk);
  t.is(held.view.size, 100);
  t.is(store.sizeBytes, 100);
  await t.throwsAsync(store.get(name('c'), onSmallDisk), { code: 'ERR_FACTORY_STORE_FULL' });
  t.is((await held.view.bytes()).length, 100);
});

test('a store that closes ends what is being made, keeps nothing of it, and makes nothing more', async (t) => {
  const directory = await temporaryDirectory(t);
  const store = await ObjectStore.open(directory, 1e6);
  const begun = Promise.withResolvers<void>();
  const ends = { code: 'ERR_FACTORY_STORE', message: 'the factory ends' };
  const never = t.throwsAsync(
    store.get(name('a'), async (file, signal) => {
      await file.writeFile('half');
      begun.resolve();
      await aborted(signal);
      throw new Error("what is said then is nobody's business");
    }),
    ends,
  );
  const queued = t.throwsAsync(store.get(name('b'), bytes(3)), ends);
  await begun.promise;
  await store[Symbol.asyncDispose]();
  await Promise.all([never, queued]);
  await t.throwsAsync(store.get(name('c'), bytes(3)), ends);
  t.deepEqual(await readdir(directory), []);
});

test('what waits to be made is dropped when all who asked are gone, and what has begun is not', async (t) => {
  const store = await ObjectStore.open(await temporaryDirectory(t), 1e6);
  const [first, second] = [new AbortController(), new AbortController()];
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const slow: WriteObject = async (file) => {
    begun.resolve();
    await gate.promise;
    await file.writeFile('a');
  };
  const running = store.get(name('a'), slow, first.signal);
  const queued = store.get(name('b'), async () => t.fail(), second.signal);
  await begun.promise;
  first.abort();
  second.abort();
  await t.throwsAsync(running, { name: 'AbortError' });
  await t.throwsAsync(queued, { name: 'AbortError' });
  const again = store.get(name('a'), async () => t.fail());
  gate.resolve();
  (await again)[Symbol.dispose]();
  (await store.get(name('b'), bytes(2)))[Symbol.dispose]();
  t.is(store.sizeBytes, 3);
});

test('no more than 32 wait to be made: others are refused at once, and not those who ask for one of these', async (t) => {
  const store = await ObjectStore.open(await temporaryDirectory(t), 1e6);
  const gate = Promise.withResolvers<void>();
  const slow: WriteObject = async (file) => {
    await gate.promise;
    await file.writeFile('a');
  };
  const all = Array.from({ length: 33 }, (_, index) => store.get(nameOf(index), slow));
  await t.throwsAsync(store.get(nameOf(33), slow), { code: 'ERR_FACTORY_OVERLOADED' });
  const joined = store.get(nameOf(32), slow);
  gate.resolve();
  for (const held of await Promise.all([...all, joined])) held[Symbol.dispose]();
  (await store.get(nameOf(33), slow))[Symbol.dispose]();
});

test('an object that is gone is made again, and parts that a crash has left go', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(join(directory, `${name('b')}.part`), 'half');
  await writeFile(join(directory, 'notes.txt'), 'of somebody else');
  const store = await ObjectStore.open(directory, 1e6);
  t.deepEqual(await readdir(directory), ['notes.txt']);
  (await store.get(name('a'), bytes(5)))[Symbol.dispose]();
  await rm(join(directory, name('a')));
  using held = await store.get(name('a'), bytes(5));
  t.is((await held.view.bytes()).length, 5);
  t.is(store.sizeBytes, 5);
});

test('a directory that can not be one is said at the start', async (t) => {
  const path = join(await temporaryDirectory(t), 'file');
  await writeFile(path, '');
  await t.throwsAsync(ObjectStore.open(path, 1), { code: 'ERR_FACTORY_SETUP' });
});

const writer = new URL('object-writer.ts', import.meta.url).pathname;

test('a process that is killed while it writes leaves objects that are whole, and no others', async (t) => {
  const directory = join(await temporaryDirectory(t), 'objects');
  for (const lines of [1, 4, 10, 23]) {
    const child = spawn(process.execPath, ['--conditions=source', writer, directory, `${lines}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.teardown(() => child.kill('SIGKILL'));
    let seen = 0;
    for await (const text of child.stdout) {
      seen += String(text).length;
      if (seen >= lines) break;
    }
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    const names = await readdir(directory);
    t.is(names.filter((each) => each.endsWith('.part')).length, 1);
    for (const each of names) {
      if (each.endsWith('.part')) continue;
      const content = await readFile(join(directory, each));
      t.true(content.equals(Buffer.alloc(1 << 20, Number.parseInt(each[0]!, 16))), each);
    }
    await ObjectStore.open(directory, 1e9);
    t.deepEqual(
      (await readdir(directory)).filter((each) => each.endsWith('.part')),
      [],
    );
  }
});
