import { readFile, stat, writeFile } from 'node:fs/promises';

import { format, header, keyslots, LuksError, testKey, tokens } from '../src/index.ts';
import { crashStates, recordRestore, refused as notProved } from './crash-states.ts';
import { Secret } from '@nodecore/sys';
import test, { type ExecutionContext } from 'ava';

import { cheap, imageFile } from './image.ts';
import { copyBytes, damage, reseal } from './raw-header.ts';

type Scene = {
  readonly path: string;
  readonly first: Secret;
  readonly second: Secret;
  readonly backup: Uint8Array;
};

function secret(t: ExecutionContext): Secret {
  const key = Secret.random(32);
  t.teardown(() => key[Symbol.dispose]());
  return key;
}

/** A volume whose backup opens with `first` while the volume itself opens with `second`, both in keyslot 0. */
async function scene(t: ExecutionContext): Promise<Scene> {
  const path = await imageFile(t);
  const [first, second] = [secret(t), secret(t)];
  await format(path, { key: first, pbkdf: cheap });
  await tokens.set(path, { token: { type: 'x', keyslots: ['0'], text: 'of the backup' } });
  const { bytes } = await header.backup(path);
  await keyslots.change(path, { existing: first, key: second, pbkdf: cheap });
  await t.throwsAsync(testKey(path, { key: first }), { code: 'ERR_LUKS_KEY_REJECTED' });
  return { path, first, second, backup: bytes };
}

test('a restored header opens with the keys of the backup, and not with later ones', async (t) => {
  const { path, first, second, backup } = await scene(t);
  const { moved } = await header.restore(path, backup, { key: { key: first, slot: 0 } });
  t.is(await testKey(path, { key: first }), 0);
  await t.throwsAsync(testKey(path, { key: second }), { code: 'ERR_LUKS_KEY_REJECTED' });
  t.is((await header.check(path)).verdict, 'consistent');
  t.deepEqual((await tokens.get(path, 0))?.json['text'], 'of the backup');
  t.deepEqual(moved, [0]);
});

test('a header that is not proved on the device is taken back, and no moment of that locks anybody out', async (t) => {
  const { path, first, second, backup } = await scene(t);
  const before = await readFile(path);
  const steps = await recordRestore(path, backup, async () => Promise.reject(notProved));
  const image = await imageFile(t);
  let last: Buffer = before;
  for (const state of crashStates(before, steps)) {
    await writeFile(image, state);
    const opens = await Promise.allSettled([first, second].map((key) => testKey(image, { key })));
    t.true(opens.some(({ status }) => status === 'fulfilled'));
    last = state;
  }
  t.true(last.subarray(0, 2 * copyBytes).equals(before.subarray(0, 2 * copyBytes)));
});

test('the sequence number of a restored header is above every one that is there', async (t) => {
  const { path, backup } = await scene(t);
  const sequence = async (): Promise<bigint> => {
    const { primary } = await header.check(path);
    return primary.state === 'valid' ? primary.sequence : 0n;
  };
  const before = await sequence();
  await header.restore(path, backup);
  t.true((await sequence()) > before);
});

test('restoring what is there already moves nothing', async (t) => {
  const path = await imageFile(t);
  const key = secret(t);
  await format(path, { key, pbkdf: cheap });
  const { bytes } = await header.backup(path);
  t.deepEqual((await header.restore(path, bytes)).moved, []);
  t.is(await testKey(path, { key }), 0);
});

test('a keyslot that the backup does not have leaves no bytes behind', async (t) => {
  const path = await imageFile(t);
  const [key, later] = [secret(t), secret(t)];
  await format(path, { key, pbkdf: cheap });
  const { bytes } = await header.backup(path);
  await keyslots.add(path, { existing: key, key: later, pbkdf: cheap });
  const before = await readFile(path);
  await header.restore(path, bytes);
  const after = await readFile(path);
  const area = [32_768 + 258_048, 32_768 + 2 * 258_048] as const; // behind the first one
  t.false(before.subarray(...area).equals(Buffer.alloc(258_048)));
  t.false(after.subarray(...area).equals(before.subarray(...area)));
});

test('after a power cut at any moment, whatever of the writes since the last sync got there, the old or the new key opens', async (t) => {
  const { path, first, second, backup } = await scene(t);
  const before = await readFile(path);
  const steps = await recordRestore(path, backup);
  t.true(steps.filter((step) => step !== 'sync').length >= 4);
  const opened = { first: 0, second: 0 };
  const image = await imageFile(t);
  for (const state of crashStates(before, steps)) {
    await writeFile(image, state);
    const isFirst = await testKey(image, { key: first }).then(
      () => true,
      () => false,
    );
    if (!isFirst) await testKey(image, { key: second });
    opened[isFirst ? 'first' : 'second'] += 1;
    t.is((await header.check(image)).verdict, 'consistent');
  }
  t.true(opened.first >= 10 && opened.second >= 10, JSON.stringify(opened));
});

for (const [title, break_] of Object.entries({
  'both copies damaged': async (path: string): Promise<void> => {
    await damage(path, 4096);
    await damage(path, copyBytes + 4096);
  },
  'copies that contradict each other': async (path: string): Promise<void> =>
    reseal(path, [copyBytes], (json) => json.replace('"time":4', '"time":5')),
  'a null cipher in place of its own': async (path: string): Promise<void> =>
    reseal(path, [0, copyBytes], (json) => json.replaceAll('aes-xts-plain64', 'cipher_null-ecb')),
  'a header that the library refuses in one copy and nothing in the other': async (
    path: string,
  ): Promise<void> => {
    await reseal(path, [0], (json) => json.replace('"type":"luks2"', '"type":"x-luks2"'));
    await damage(path, copyBytes);
  },
  'the largest sequence number and a plain segment': async (path: string): Promise<void> => {
    await reseal(path, [0, copyBytes], (json) => json.replaceAll('"crypt"', '"linear"'), (1n << 64n) - 1n);
  },
  'nothing left of its header': async (path: string): Promise<void> => {
    const image = await readFile(path);
    await writeFile(path, image.fill(0, 0, 1 << 20));
  },
})) {
  test(`a device with ${title} is restored when its UUID is named`, async (t) => {
    const { path, first, backup } = await scene(t);
    const uuid = (await header.read(path))?.uuid ?? '';
    await break_(path);
    const before = await readFile(path);
    await t.throwsAsync(header.restore(path, backup), { instanceOf: LuksError, code: 'ERR_LUKS_BACKUP' });
    t.true(before.equals(await readFile(path)));
    await header.restore(path, backup, { expectUuid: uuid, key: { key: first } });
    t.is(await testKey(path, { key: first }), 0);
    t.is((await header.check(path)).verdict, 'consistent');
  });
}

test('a device with one copy damaged is restored as a whole one', async (t) => {
  const { path, first, backup } = await scene(t);
  await damage(path, copyBytes);
  await header.restore(path, backup);
  t.is(await testKey(path, { key: first }), 0);
});

test('a backup of which one copy is damaged restores both', async (t) => {
  const { path, first, backup } = await scene(t);
  backup.fill(0x55, 4096, 8192);
  await header.restore(path, backup);
  t.is(await testKey(path, { key: first }), 0);
  t.is((await header.check(path)).verdict, 'consistent');
});

const refused: Readonly<Record<string, (backup: Buffer) => Promise<Uint8Array> | Uint8Array>> = {
  nothing: () => new Uint8Array(0),
  'random text': () => Buffer.from('LUKS\xba\xbe and no more', 'latin1'),
  'a backup without a valid copy': (backup) =>
    Buffer.from(backup)
      .fill(0x55, 4096, 5000)
      .fill(0x55, copyBytes + 4096, copyBytes + 5000),
  'half a backup': (backup) => backup.subarray(0, 8 << 20),
};
for (const [title, make] of Object.entries(refused)) {
  test(`${title} is not restored`, async (t) => {
    const { path, backup } = await scene(t);
    const before = await readFile(path);
    await t.throwsAsync(header.restore(path, await make(Buffer.from(backup))), {
      instanceOf: LuksError,
      code: 'ERR_LUKS_BACKUP',
    });
    t.true(before.equals(await readFile(path)));
  });
}

test('the backup of another volume is refused, and so is one with the same UUID and another key', async (t) => {
  const { path, backup } = await scene(t);
  const other = await imageFile(t);
  const key = secret(t);
  await format(other, { key, pbkdf: cheap });
  await t.throwsAsync(header.restore(other, backup), { code: 'ERR_LUKS_BACKUP', message: /UUID/ });
  const uuid = (await header.read(path))?.uuid ?? '';
  await t.throwsAsync(header.restore(path, backup, { expectUuid: '0f0e0d0c-0b0a-4908-8706-050403020100' }), {
    code: 'ERR_LUKS_BACKUP',
    message: /UUID/,
  });
  await format(other, { key, pbkdf: cheap, uuid, overwrite: true });
  await t.throwsAsync(header.restore(other, backup), { code: 'ERR_LUKS_BACKUP', message: /volume key/ });
  t.is(await testKey(other, { key }), 0);
});

test('a backup with a null cipher is refused', async (t) => {
  const { path, backup } = await scene(t);
  const file = await imageFile(t);
  await writeFile(file, backup);
  await reseal(file, [0, copyBytes], (json) => json.replaceAll('aes-xts-plain64', 'cipher_null-ecb'));
  const uuid = (await header.read(path))?.uuid ?? '';
  await t.throwsAsync(header.restore(path, file, { expectUuid: uuid }), { code: 'ERR_LUKS_BACKUP' });
});

test('a device that is too small is refused', async (t) => {
  const { path, backup } = await scene(t);
  const uuid = (await header.read(path))?.uuid ?? '';
  const small = await imageFile(t, 16 << 20);
  await t.throwsAsync(header.restore(small, backup, { expectUuid: uuid }), { code: 'ERR_LUKS_BACKUP' });
});

test('a key that does not open the backup stops the restore before it begins', async (t) => {
  const { path, second, backup } = await scene(t);
  const before = await readFile(path);
  await t.throwsAsync(header.restore(path, backup, { key: { key: second } }), {
    code: 'ERR_LUKS_KEY_REJECTED',
  });
  t.true(before.equals(await readFile(path)));
});

test('a backup is unpacked to try keys on, and its file goes', async (t) => {
  const { path, first, second, backup } = await scene(t);
  const before = await readFile(path);
  let file = '';
  {
    await using unpacked = await header.unpack(path, backup);
    file = unpacked.path;
    t.is((await stat(file)).mode & 0o777, 0o600);
    t.is((await header.read(path))?.uuid, unpacked.uuid);
    t.is(await testKey(file, { key: first }), 0);
    await t.throwsAsync(testKey(file, { key: second }), { code: 'ERR_LUKS_KEY_REJECTED' });
    t.is((await tokens.get(file, 0))?.json['text'], 'of the backup');
  }
  await t.throwsAsync(stat(file), { code: 'ENOENT' });
  await t.throwsAsync(header.unpack(path, backup.subarray(0, 8 << 20)), { code: 'ERR_LUKS_BACKUP' });
  t.true(before.equals(await readFile(path)));
});

test('the header of a volume that is being re-encrypted is not replaced', async (t) => {
  const { path, first, backup } = await scene(t);
  const uuid = (await header.read(path))?.uuid ?? '';
  await reseal(path, [0, copyBytes], (json) =>
    json.replace('"config":{', '"config":{"requirements":{"mandatory":["online-reencrypt-v2"]},'),
  );
  const before = await readFile(path);
  await t.throwsAsync(header.restore(path, backup, { expectUuid: uuid, key: { key: first } }), {
    code: 'ERR_LUKS_BACKUP',
    message: /re-encrypted/,
  });
  t.true(before.equals(await readFile(path)));
});

test('a file as large as a disk is no backup, and is not read', async (t) => {
  const { path } = await scene(t);
  const disk = await imageFile(t, 2 ** 40);
  await t.throwsAsync(header.restore(path, disk), {
    code: 'ERR_LUKS_BACKUP',
    message: /which no header has/,
  });
});

test('a backup that can not be read is an error of its own', async (t) => {
  const { path } = await scene(t);
  await t.throwsAsync(header.restore(path, `${path}.missing`), { code: 'ERR_LUKS_NOT_FOUND' });
});
