import { createHash } from 'node:crypto';

import { View } from '@nodecore/view';
import test from 'ava';

import {
  BootPartition,
  type EntryName,
  formatEntryName,
  grubFiles,
  type NewEntry,
  parseEntryName,
  slotFiles,
} from '../../src/index.ts';
import { environmentSizeBytes, formatEnvironment, parseEnvironment } from '../../src/grub/environment.ts';
import { environmentOf, slotsOf } from '../../src/grub/slots.ts';
import { Cut } from '../crashing-files.ts';
import { CrashingSlots } from './crashing-slots.ts';
import { exampleImage, exampleView, readExample } from './example-image.ts';

type Files = ReadonlyMap<string, Buffer>;

const textOf = ({ imageVersion, sequence }: EntryName): string => `${imageVersion}-${sequence}`;

function named(name: string): EntryName {
  const entry = parseEntryName(name);
  if (entry === undefined) throw new Error(name);
  return entry;
}

function newEntry(imageVersion: string, sequence: number): NewEntry {
  const content = exampleImage(textOf({ imageVersion, sequence }));
  const uki = View.of(content.subarray(0, 700), new Uint8Array(content.subarray(700)));
  return { imageVersion, sequence, uki, sha256: createHash('sha256').update(content).digest('hex') };
}

/** A partition as an image has it. */
async function fresh(name: string): Promise<Files> {
  const entry = named(name);
  const files = await grubFiles({
    entries: [{ ...entry, uki: exampleView(textOf(entry)) }],
    readSections: readExample,
  });
  return new Map(
    await Promise.all(files.map(async ({ path, content }) => [path, await content.bytes()] as const)),
  );
}

/** What GRUB has done to the variables when it has started the first entry. */
function counted(files: Files): Files {
  const slots = new Map(slotsOf(parseEnvironment(files.get('/grub/grubenv')!)!));
  for (const [slot, { tries, ...entry }] of slots)
    if (tries !== undefined && tries.left > 0)
      slots.set(slot, { ...entry, tries: { left: tries.left - 1, done: tries.done + 1 } });
  return new Map([...files, ['/grub/grubenv', formatEnvironment(environmentOf(slots))]]);
}

function partition(disk: CrashingSlots, booted: string): BootPartition {
  return new BootPartition(slotFiles('', readExample, disk), named(booted));
}

async function changed(files: Files, change: (disk: CrashingSlots) => Promise<unknown>): Promise<Files> {
  const disk = new CrashingSlots(files);
  await change(disk);
  await disk.syncAll();
  return disk.outcomes().next().value as Files;
}

async function names(files: Files, booted: string): Promise<readonly string[]> {
  return (await partition(new CrashingSlots(files), booted).entries()).map(({ name }) => name);
}

/** What the menu starts, by the text that is in the image; undefined when it starts nothing. Proves that it is whole. */
function started(files: Files): string | undefined {
  const variables = parseEnvironment(files.get('/grub/grubenv') ?? Buffer.of());
  const order = variables?.get('first') === 'b' ? ['b', 'a'] : ['a', 'b'];
  const has = (slot: string): boolean =>
    String(files.get(`/nodeos/${slot}.cfg`)).endsWith(`then set ready_${slot}=yes; fi\n`);
  const left = (slot: string): string => variables?.get(`${slot}_left`) ?? '';
  const slot =
    order.find((each) => has(each) && left(each) !== '' && left(each) !== '0') ??
    order.find((each) => has(each));
  if (slot === undefined) return undefined;
  const commands = String(files.get(`/nodeos/${slot}.cfg`));
  const text = /test=(?<text>[^']*)'/u.exec(commands)?.groups?.['text'] ?? '';
  return files.get(`/nodeos/${slot}.efi`)?.equals(exampleImage(text)) === true ? text : `half of ${text}`;
}

async function cutEverywhere(
  files: Files,
  change: (disk: CrashingSlots) => Promise<unknown>,
  check: (outcome: Files) => unknown,
): Promise<void> {
  for (let cutAt = 0; ; cutAt++) {
    const disk = new CrashingSlots(files, cutAt);
    const error: unknown = await change(disk).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error !== undefined && !(error instanceof Cut)) throw error;
    for (const outcome of disk.outcomes()) await check(outcome);
    if (error === undefined) return;
  }
}

const old = 'nodeos-1.14.0-1.efi';
const next = 'nodeos-1.14.1-2+3.efi';

test('an entry is written, tried, found good and left again under the names that it would have on an EFI partition', async (t) => {
  const made = await fresh(old);
  t.deepEqual(await names(made, old), [old]);
  t.is(started(made), '1.14.0-1');
  const staged = await changed(made, (disk) => partition(disk, old).write(newEntry('1.14.1', 2)));
  t.deepEqual(await names(staged, old), [next, old]);
  t.is(started(staged), '1.14.1-2');
  const trying = counted(staged);
  t.deepEqual(await names(trying, next), ['nodeos-1.14.1-2+2-1.efi', old]);
  const good = await changed(trying, (disk) => partition(disk, next).bless());
  t.deepEqual(await names(good, next), ['nodeos-1.14.1-2.efi', old]);
  const back = await changed(good, (disk) => partition(disk, next).rollback());
  t.deepEqual(await names(back, next), [old, 'nodeos-1.14.1-2+0.efi']);
  t.is(started(back), '1.14.0-1');
  const again = await changed(back, (disk) => partition(disk, old).write(newEntry('1.14.2', 3)));
  t.deepEqual(await names(again, old), ['nodeos-1.14.2-3+3.efi', old]);
});

test('without a start left the menu goes back to the good entry', async (t) => {
  let files = await changed(await fresh(old), (disk) => partition(disk, old).write(newEntry('1.14.1', 2)));
  for (let start = 0; start < 3; start++) {
    t.is(started(files), '1.14.1-2');
    files = counted(files);
  }
  t.is(started(files), '1.14.0-1');
  t.deepEqual(await names(files, old), [old, 'nodeos-1.14.1-2+0-3.efi']);
});

test('a third entry is refused while one runs and another is the good one, and nothing is changed', async (t) => {
  const staged = await changed(await fresh(old), (disk) => partition(disk, old).write(newEntry('1.14.1', 2)));
  const trying = counted(staged);
  await t.throwsAsync(partition(new CrashingSlots(trying), next).write(newEntry('1.14.2', 3)), {
    code: 'ERR_BOOT_SPACE',
  });
  await t.throwsAsync(partition(new CrashingSlots(trying), next).remove(old), { code: 'ERR_BOOT_NEEDED' });
});

test('a cut at any step of a write leaves an old entry that starts, or the new one whole', async (t) => {
  const bad = await changed(
    counted(
      counted(
        counted(await changed(await fresh(old), (disk) => partition(disk, old).write(newEntry('1.14.1', 2)))),
      ),
    ),
    (disk) => Promise.resolve(disk),
  );
  const seen = new Set<string>();
  await cutEverywhere(
    bad,
    (disk) => partition(disk, old).write(newEntry('1.14.2', 3)),
    async (outcome) => {
      seen.add(started(outcome) ?? 'nothing');
      // What is there then can be upgraded.
      const again = await changed(outcome, (disk) => partition(disk, old).write(newEntry('1.14.3', 4)));
      t.is(started(again), '1.14.3-4');
    },
  );
  t.deepEqual([...seen].toSorted(), ['1.14.0-1', '1.14.2-3']);
});

test('a cut at any step of a write over the first slot leaves nothing half in it that a menu without variables would start', async (t) => {
  const staged = await changed(await fresh(old), (disk) => partition(disk, old).write(newEntry('1.14.1', 2)));
  const good = await changed(counted(staged), (disk) => partition(disk, next).bless());
  const seen = new Set<string>();
  await cutEverywhere(
    good,
    (disk) => partition(disk, next).write(newEntry('1.14.2', 3)),
    (outcome) => seen.add(started(new Map([...outcome, ['/grub/grubenv', Buffer.alloc(1024)]])) ?? 'nothing'),
  );
  t.deepEqual([...seen].toSorted(), ['1.14.0-1', '1.14.1-2', '1.14.2-3']);
});

for (const what of ['bless', 'rollback'] as const) {
  test(`a cut at any step of a ${what} leaves an entry that starts`, async (t) => {
    const staged = await changed(await fresh(old), (disk) =>
      partition(disk, old).write(newEntry('1.14.1', 2)),
    );
    const seen = new Set<string>();
    await cutEverywhere(
      counted(staged),
      (disk) => partition(disk, next)[what](),
      (outcome) => seen.add(started(outcome) ?? 'nothing'),
    );
    t.deepEqual([...seen].toSorted(), what === 'bless' ? ['1.14.1-2'] : ['1.14.0-1', '1.14.1-2']);
  });
}

test('an environment that is lost stops every change, and the menu starts what is there', async (t) => {
  const lost = new Map([...(await fresh(old)), ['/grub/grubenv', Buffer.alloc(environmentSizeBytes)]]);
  await t.throwsAsync(partition(new CrashingSlots(lost), old).write(newEntry('1.14.1', 2)), {
    code: 'ERR_BOOT_ENVIRONMENT',
  });
  t.is(started(lost), '1.14.0-1');
});

test('more starts than GRUB counts are refused', async (t) => {
  const entry = { ...newEntry('1.14.1', 2), tries: 10 };
  await t.throwsAsync(partition(new CrashingSlots(await fresh(old)), old).write(entry), {
    code: 'ERR_BOOT_ENVIRONMENT',
  });
  t.is(formatEntryName(named(old)), old);
});
