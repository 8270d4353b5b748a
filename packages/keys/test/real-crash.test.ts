import { copyFile, constants } from 'node:fs/promises';
import { join } from 'node:path';

import { type KeySpec, type KeyslotStore, synchronise, unlock } from '../src/index.ts';
import * as luks from '@nodecore/luks';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';

import { cheap, headerOf, imageFile, realMachine } from './real-world.ts';
import { kmsKey, staticKey, tpmKey } from './specs.ts';

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
