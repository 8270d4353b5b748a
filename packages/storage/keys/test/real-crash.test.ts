import { copyFile, constants } from 'node:fs/promises';
import { join } from 'node:path';

import { candidatesOf } from '../src/candidates.ts';
import {
  type KeyContext,
  type KeySpec,
  type KeyslotStore,
  planRotation,
  rotate,
  synchronise,
  unlock,
} from '../src/index.ts';
import { recoverFrom } from '../src/recover.ts';
import * as luks from '@nodecore/luks';
import { Secret } from '@nodecore/sys';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';

import { cheap, headerOf, imageFile, realMachine } from './real-world.ts';
import { kmsKey, nodeKey, staticKey, tpmKey } from './specs.ts';

const withTpm = testWith(program('swtpm'));

/** Keeps a copy of the header's file as it is after each write. */
function watched(store: KeyslotStore, keep: () => Promise<void>): KeyslotStore {
  const kept =
    <A, R>(write: (argument: A) => Promise<R>) =>
    async (argument: A): Promise<R> => {
      const result = await write(argument);
      await keep();
      return result;
    };
  return {
    ...store,
    add: kept((options: Parameters<KeyslotStore['add']>[0]) => store.add(options)),
    destroy: kept((options: Parameters<KeyslotStore['destroy']>[0]) => store.destroy(options)),
    setToken: kept((options: Parameters<KeyslotStore['setToken']>[0]) => store.setToken(options)),
    removeToken: kept((options: Parameters<KeyslotStore['removeToken']>[0]) => store.removeToken(options)),
  };
}

withTpm(
  'each write of a real header, from a passphrase to the TPM to a key server, leaves a volume that opens',
  async (t) => {
    const { context, endpoint } = await realMachine(t);
    const path = await imageFile(t);
    const directory = await temporaryDirectory(t);
    const passphrase = staticKey(0, 'correct horse');
    await luks.format(path, { key: passphrase.passphrase, pbkdf: cheap });
    const configurations: readonly (readonly KeySpec[])[] = [
      [passphrase],
      [tpmKey(0)],
      [kmsKey(0, endpoint)],
      [staticKey(0, 'new horse')],
    ];
    let cuts = 0;
    for (const [index, after] of configurations.entries()) {
      const before = configurations[index - 1] ?? after;
      const copies: string[] = [];
      const store = watched(headerOf(path), async () => {
        const copy = join(directory, `${index}-${copies.length}`);
        await copyFile(path, copy, constants.COPYFILE_FICLONE);
        copies.push(copy);
      });
      using opener = await unlock(store, after, context, { previous: before });
      t.deepEqual((await synchronise(store, after, context, opener)).failed, []);
      for (const copy of copies) {
        cuts += 1;
        const header = headerOf(copy);
        using opened = await unlock(header, after, context, { previous: before });
        const report = await synchronise(header, after, context, opened);
        t.deepEqual(report.failed, [], copy);
        using again = await unlock(header, after, context);
        t.is(again.slot, 0);
        t.deepEqual(
          (await luks.keyslots.list(copy)).map(({ slot }) => slot),
          [0],
          copy,
        );
      }
    }
    t.log({ cuts });
    t.true(cuts > 25);
  },
);

withTpm('a plan promises as many ways in as a real header has after each write', async (t) => {
  const { context, endpoint } = await realMachine(t);
  const path = await imageFile(t);
  const directory = await temporaryDirectory(t);
  const before: readonly KeySpec[] = [tpmKey(0)];
  const passphrase = staticKey(9, 'correct horse');
  await luks.format(path, { key: passphrase.passphrase, slot: 9, pbkdf: cheap });
  {
    using first = await unlock(headerOf(path), [passphrase], context);
    t.deepEqual((await synchronise(headerOf(path), [passphrase, ...before], context, first)).failed, []);
    using second = await unlock(headerOf(path), before, context);
    t.deepEqual((await synchronise(headerOf(path), before, context, second)).removed, [9]);
  }
  const after: readonly KeySpec[] = [kmsKey(0, endpoint), tpmKey(1), nodeKey(2)];
  const copies: string[] = [];
  const store = watched(headerOf(path), async () => {
    const copy = join(directory, `${copies.length}`);
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    copies.push(copy);
  });
  using opener = await unlock(store, after, context, { previous: before });
  const { ways } = await planRotation(store, after, context, opener);
  t.is(copies.length, 0, 'a plan writes nothing');
  t.deepEqual(ways, { before: 1, lowest: 1, after: 3 });
  t.deepEqual((await rotate(store, after, context, opener)).failed, []);
  const counts: number[] = [];
  for (const copy of copies) counts.push(await distinctKeys(copy, [...after, ...before], context));
  t.log(counts.join(' '));
  t.true(Math.min(...counts) >= ways.lowest);
  t.is(counts.at(-1), ways.after);
  const gone = counts.indexOf(4); // all three, and the old one
  t.true(
    counts.slice(0, gone).every((count, n) => n === 0 || count >= (counts[n - 1] ?? 0)),
    'adds come first',
  );
});

/** How many different keys open a header. */
async function distinctKeys(path: string, specs: readonly KeySpec[], context: KeyContext): Promise<number> {
  const found = new Set<string>();
  const header = headerOf(path);
  const state = await header.read();
  for (const spec of specs) {
    for (const { token, slots } of candidatesOf(spec, state)) {
      using key = await recoverFrom(spec, context, token, {}).catch(() => Secret.random(1));
      for (const slot of slots) {
        if (await header.test({ slot, key })) found.add(key.bytes.toString('hex'));
      }
    }
  }
  return found.size;
}
