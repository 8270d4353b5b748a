import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import { View } from '@nodecore/view';
import test from 'ava';

import { BootPartition, type EntryName, type NewEntry, parseEntryName } from '../src/index.ts';
import { CrashingFiles, Cut } from './crashing-files.ts';

const room = 1 << 20;
const contentOf = (name: string): Buffer => Buffer.alloc(150_000, name.replace(/(\+[-\d]*)?\.efi.*$/, ''));
const filesOf = (...names: string[]): Record<string, Buffer> =>
  Object.fromEntries(names.map((name) => [name, contentOf(name)]));

function named(name: string): EntryName {
  const entry = parseEntryName(name);
  if (entry === undefined) throw new Error(name);
  return entry;
}

function newEntry(imageVersion: string, sequence: number): NewEntry {
  const content = contentOf(`nodeos-${imageVersion}-${sequence}`);
  // Several chunks: a cut may be between them.
  const uki = View.of(content.subarray(0, 50_000), new Uint8Array(content.subarray(50_000)));
  return { imageVersion, sequence, uki, sha256: createHash('sha256').update(content).digest('hex') };
}

const old = 'nodeos-1.14.0-1.efi';

/** Does it with the power cut at every step; `check` sees everything that may be on the disk then. */
async function cutEverywhere(
  files: Readonly<Record<string, Buffer>>,
  change: (files: CrashingFiles) => Promise<unknown>,
  check: (files: Readonly<Record<string, Buffer>>) => unknown,
): Promise<number> {
  let outcomes = 0;
  for (let cutAt = 0; ; cutAt++) {
    const disk = new CrashingFiles(files, room, cutAt);
    const error = await change(disk).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error !== undefined && !(error instanceof Cut)) throw error;
    for (const outcome of disk.outcomes()) {
      outcomes += 1;
      await check(outcome);
    }
    if (error === undefined) return outcomes;
  }
}

test('a cut at any step of a write leaves the old entry, and the new one whole or not in the menu', async (t) => {
  const before = filesOf(old, 'nodeos-1.13.0-0.efi', 'nodeos-1.15.0-5+0-3.efi', 'nodeos-1.14.2-6+3.efi.part');
  const seen = new Set<string>();
  const outcomes = await cutEverywhere(
    before,
    (files) => new BootPartition(files, named(old)).write(newEntry('1.14.1', 7)),
    async (files) => {
      t.true(files[old]?.equals(contentOf(old)));
      for (const [name, bytes] of Object.entries(files)) {
        if (parseEntryName(name) !== undefined) t.true(bytes.equals(contentOf(name)), name);
      }
      seen.add('nodeos-1.14.1-7+3.efi' in files ? 'new' : 'old');
      // The next start goes on from whatever is there.
      const again = new CrashingFiles(files, room);
      await new BootPartition(again, named(old)).write(newEntry('1.14.1', 8));
      for (const outcome of again.outcomes()) {
        for (const [name, bytes] of Object.entries(outcome)) {
          if (parseEntryName(name) !== undefined) t.true(bytes.equals(contentOf(name)), name);
        }
      }
      const left = again.names.filter((name) => name.endsWith('.part'));
      t.deepEqual(
        left,
        left.filter((name) => again.names.includes(name.replace('.part', ''))),
      );
    },
  );
  t.deepEqual([...seen].toSorted(), ['new', 'old']);
  t.log(`${outcomes} outcomes`);
});

test('a cut at any step of a blessing leaves the entry, with its counter or without', async (t) => {
  const trying = 'nodeos-1.14.1-2+2-1.efi';
  const seen = new Set<string>();
  await cutEverywhere(
    filesOf(old, trying),
    (files) => new BootPartition(files, named(trying)).bless(),
    (files) => {
      const names = Object.keys(files).filter((name) => name !== old);
      for (const [name, bytes] of Object.entries(files)) t.true(bytes.equals(contentOf(name)));
      seen.add(names.toSorted().join(' '));
    },
  );
  const good = 'nodeos-1.14.1-2.efi';
  t.deepEqual(
    [...seen].toSorted((left, right) => left.length - right.length),
    [good, trying, `${trying} ${good}`],
  );
});

test('a cut at any step of a rollback leaves an entry that starts', async (t) => {
  const booted = 'nodeos-1.14.1-2.efi';
  await cutEverywhere(
    filesOf(old, booted, 'nodeos-1.15.0-3+3.efi'),
    (files) => new BootPartition(files, named(booted)).rollback(),
    async (files) => {
      const [first] = await new BootPartition(new CrashingFiles(files, room), named(booted)).entries();
      t.not(first?.state, 'bad');
      for (const [name, bytes] of Object.entries(files)) t.true(bytes.equals(contentOf(name)));
    },
  );
});

test('a cut at any step of a rollback to a bad entry leaves an entry that starts', async (t) => {
  const booted = 'nodeos-1.14.1-2.efi';
  await cutEverywhere(
    filesOf('nodeos-1.14.0-1+0-3.efi', booted),
    (files) => new BootPartition(files, named(booted)).rollback({ toBad: true }),
    async (files) => {
      const [first] = await new BootPartition(new CrashingFiles(files, room), named(booted)).entries();
      t.not(first?.tries?.left, 0);
      for (const [name, bytes] of Object.entries(files)) t.true(bytes.equals(contentOf(name)));
    },
  );
});

test('a write names the state of every entry, and leaves the running and the newest good one', async (t) => {
  const files = new CrashingFiles(
    filesOf(
      old,
      'nodeos-1.13.0-0.efi',
      'nodeos-1.14.1-2+0-1.efi',
      'nodeos-1.15.0-3+0-3.efi',
      'nodeos-1.16.0-4+3.efi',
      'readme.txt',
    ),
    room,
  );
  const partition = new BootPartition(files, named('nodeos-1.14.1-2.efi'));
  t.deepEqual(
    (await partition.entries()).map(({ name, state, isBooted }) => [name, state, isBooted]),
    [
      ['nodeos-1.16.0-4+3.efi', 'staged', false],
      [old, 'good', false],
      ['nodeos-1.13.0-0.efi', 'good', false],
      ['nodeos-1.15.0-3+0-3.efi', 'bad', false],
      ['nodeos-1.14.1-2+0-1.efi', 'trying', true],
    ],
  );
  const written = await partition.write(newEntry('1.14.2', 5));
  t.like(written, { name: 'nodeos-1.14.2-5+3.efi', state: 'staged', sizeBytes: 150_000 });
  t.deepEqual(files.names.toSorted(), [
    old,
    'nodeos-1.14.1-2+0-1.efi',
    'nodeos-1.14.2-5+3.efi',
    'readme.txt',
  ]);
  t.is((await partition.entries())[0]?.name, 'nodeos-1.14.2-5+3.efi'); // it is what the menu starts
});

test('an upgrade that is written twice before the next start keeps the only good entry', async (t) => {
  const files = new CrashingFiles(filesOf(old), 3 * 150_000);
  const partition = new BootPartition(files, named(old));
  await partition.write(newEntry('1.14.1', 2));
  await partition.write(newEntry('1.14.1', 3));
  t.deepEqual(files.names, [old, 'nodeos-1.14.1-3+3.efi']);
});

test('without room nothing is changed, and the error says how much is missing', async (t) => {
  const before = filesOf(old, 'nodeos-1.13.0-0.efi');
  const files = new CrashingFiles(before, 2 * 150_000 + 1000);
  const error = await t.throwsAsync(new BootPartition(files, named(old)).write(newEntry('1.14.1', 2)), {
    code: 'ERR_BOOT_SPACE',
  });
  t.regex(error.message, /needs 64536 more bytes for an entry of 150000; 1000 are free/);
  t.is(files.steps, 0);
});

test('a lower version, or an earlier installation of the same one, is refused: the menu would not start it', async (t) => {
  const files = new CrashingFiles(filesOf('nodeos-1.14.0-2.efi'), room);
  const partition = new BootPartition(files, named('nodeos-1.14.0-2.efi'));
  for (const entry of [newEntry('1.13.9', 3), newEntry('1.14.0~rc.1', 3), newEntry('1.14.0', 1)]) {
    await t.throwsAsync(partition.write(entry), { code: 'ERR_BOOT_DOWNGRADE' });
  }
  await t.throwsAsync(partition.write(newEntry('1.14.0', 2)), { code: 'ERR_BOOT_EXISTS' });
  t.is(files.steps, 0);
  await t.notThrowsAsync(partition.write(newEntry('1.14.0', 3))); // another schematic of the same version
});

test('a UKI that is not the promised one is not in the menu', async (t) => {
  const files = new CrashingFiles(filesOf(old), room);
  const entry = { ...newEntry('1.14.1', 2), sha256: '0'.repeat(64) };
  const write = new BootPartition(files, named(old)).write(entry);
  await t.throwsAsync(write, { code: 'ERR_BOOT_MISMATCH', message: /was promised as 0/ });
  t.deepEqual(files.names, [old]);
});

test('a disk that stores something else is found out before the entry has its name', async (t) => {
  class Lying extends CrashingFiles {
    override digest(): Promise<string> {
      return Promise.resolve('f'.repeat(64));
    }
  }
  const files = new Lying(filesOf(old), room);
  const write = new BootPartition(files, named(old)).write(newEntry('1.14.1', 2));
  await t.throwsAsync(write, { code: 'ERR_BOOT_MISMATCH', message: /the disk has/ });
  t.deepEqual(files.names, [old]);
});

test('the running entry and the newest good one are not removed, also when nobody knows what runs', async (t) => {
  const trying = 'nodeos-1.14.1-2+2-1.efi';
  const before = filesOf(old, trying, 'nodeos-1.13.0-0.efi');
  const known = new CrashingFiles(before, room);
  const partition = new BootPartition(known, named(trying));
  await t.throwsAsync(partition.remove(old), { code: 'ERR_BOOT_NEEDED' });
  await t.throwsAsync(partition.remove(trying), { code: 'ERR_BOOT_NEEDED' });
  await t.throwsAsync(partition.remove('nodeos-1.0.0-1.efi'), { code: 'ERR_BOOT_NOT_FOUND' });
  await partition.remove('nodeos-1.13.0-0.efi');
  t.deepEqual(known.names, [old, trying]);
  const unknown = new CrashingFiles(before, room);
  for (const name of Object.keys(before)) {
    await t.throwsAsync(new BootPartition(unknown).remove(name), { code: 'ERR_BOOT_NEEDED' });
  }
  await new BootPartition(unknown).removeSuperseded();
  t.is(unknown.names.length, 3);
});

test('after a blessing the former entry stays to return to, and older ones go', async (t) => {
  const trying = 'nodeos-1.14.1-2+0-3.efi';
  const files = new CrashingFiles(
    filesOf(old, trying, 'nodeos-1.13.0-0.efi', 'nodeos-1.12.0-0.efi.part'),
    room,
  );
  const partition = new BootPartition(files, named(trying));
  await partition.bless();
  await partition.bless(); // once is enough
  await partition.removeSuperseded();
  t.deepEqual(files.names.toSorted(), [old, 'nodeos-1.14.1-2.efi']);
  t.is((await partition.rollback()).name, old);
  t.deepEqual(files.names.toSorted(), [old, 'nodeos-1.14.1-2+0.efi']);
  await t.throwsAsync(new BootPartition(files, named(old)).rollback(), { code: 'ERR_BOOT_NOT_FOUND' });
});

test('a rollback after a power cut in another one replaces neither name of the file: FAT would free it', async (t) => {
  const booted = 'nodeos-1.14.1-2.efi';
  const content = contentOf(booted);
  const files = new CrashingFiles(
    { ...filesOf(old), [booted]: content, 'nodeos-1.14.1-2+0.efi': content },
    room,
  );
  t.is((await new BootPartition(files, named(booted)).rollback()).name, old);
  t.deepEqual(files.names.toSorted(), ['nodeos-1.14.1-2+0-1.efi', 'nodeos-1.14.1-2+0.efi', old].toSorted());
  for (const outcome of files.outcomes())
    for (const [name, bytes] of Object.entries(outcome)) t.true(bytes.equals(contentOf(name)), name);
});

test('a rollback to a bad entry after a power cut in one replaces no name of it', async (t) => {
  const booted = 'nodeos-1.14.1-2.efi';
  const content = contentOf('nodeos-1.14.0-1.efi');
  const before = { ...filesOf(booted), 'nodeos-1.14.0-1+0-3.efi': content, 'nodeos-1.14.0-1+3.efi': content };
  const files = new CrashingFiles(before, room);
  const target = await new BootPartition(files, named(booted)).rollback({ toBad: true });
  t.like(target, { name: 'nodeos-1.14.0-1+3-1.efi', tries: { left: 3, done: 1 }, state: 'trying' });
  t.deepEqual(files.names.toSorted(), [
    'nodeos-1.14.0-1+3-1.efi',
    'nodeos-1.14.0-1+3.efi',
    'nodeos-1.14.1-2+0.efi',
  ]);
  for (const outcome of files.outcomes())
    for (const [name, bytes] of Object.entries(outcome)) t.true(bytes.equals(contentOf(name)), name);
});

test('two names of one file, after a power cut in a rename, are both left alone', async (t) => {
  const both = filesOf('nodeos-1.14.1-2.efi', 'nodeos-1.13.0-0+3.efi');
  const [good, staged] = Object.values(both);
  const twins = { 'nodeos-1.14.1-2+2-1.efi': good, 'nodeos-1.13.0-0+3.efi.part': staged };
  const files = new CrashingFiles({ ...twins, ...both } as Record<string, Buffer>, room);
  const partition = new BootPartition(files, named('nodeos-1.14.1-2.efi'));
  await partition.bless();
  await partition.removeSuperseded();
  await partition.write(newEntry('1.14.2', 3));
  for (const name of ['nodeos-1.13.0-0+3.efi', 'nodeos-1.14.1-2.efi']) {
    await t.throwsAsync(partition.remove(name), { code: 'ERR_BOOT_NEEDED' });
  }
  t.deepEqual(files.names, [...Object.keys(twins), ...Object.keys(both), 'nodeos-1.14.2-3+3.efi']);
});

test('a directory is written as the double is', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(join(directory, old), contentOf(old));
  const partition = BootPartition.open(directory, named(old));
  const entry = newEntry('1.14.1', 2);
  const { name } = await partition.write(entry);
  t.deepEqual((await readdir(directory)).toSorted(), [old, name]);
  t.true((await readFile(join(directory, name))).equals(await entry.uki.bytes()));
  const again = BootPartition.open(directory, named(name));
  await again.bless();
  await again.removeSuperseded();
  t.deepEqual(await readdir(directory).then((names) => names.toSorted()), [old, 'nodeos-1.14.1-2.efi']);
});

test('an image is given out when the disk has what was promised of it, and no other', async (t) => {
  const files = new CrashingFiles(filesOf(old), room);
  const partition = new BootPartition(files, named(old));
  const sha256 = createHash('sha256').update(contentOf(old)).digest('hex');
  t.deepEqual(await (await partition.proven(old, sha256)).bytes(), contentOf(old));
  await t.throwsAsync(partition.proven(old, '0'.repeat(64)), { code: 'ERR_BOOT_MISMATCH' });
  await t.throwsAsync(partition.proven('nodeos-1.14.9-9.efi', sha256), { code: 'ERR_BOOT_NOT_FOUND' });
});
