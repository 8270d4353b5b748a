import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { BootPartition, directoryFiles, emptyBootRecord, parseEntryName, withEntry } from '@nodecore/boot';
import { encodeJsonValue, metaTag } from '@nodecore/meta';
import { temporaryDirectory } from '@nodecore/testkit';
import { assembleUki } from '@nodecore/uki';
import { View } from '@nodecore/view';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { sections, stub } from '../../../image/uki/test/sample.ts';
import { startedBy } from '../src/kexec/command-line.ts';
import { stubAddition } from '../src/kexec/firmware-wishes.ts';
import { Kexec, type KexecParts } from '../src/kexec/kexec.ts';
import { readKexecMark, writeKexecMark } from '../src/kexec/kexec-mark.ts';
import { loadKernel, type NextKernel } from '../src/kexec/loaded-kernel.ts';
import { Meta } from '../src/persistence/meta.ts';
import { BootMenu } from '../src/upgrades/boot-menu.ts';
import { readBootRecord, writeBootRecord } from '../src/upgrades/boot-record.ts';

const log = pino({ level: 'silent' });
const signal = new AbortController().signal;
const good = 'nodeos-1.14.1-2.efi';

type Scene = {
  /** Entries of the menu; the first one runs. */
  readonly names?: readonly string[];
  readonly runningLine?: string;
  readonly image?: View;
  readonly parts?: Partial<KexecParts>;
};

/** A node whose entries are on a partition, and in its record. */
async function nodeWith(t: ExecutionContext, scene: Scene = {}) {
  const { names = [good], runningLine = `${sections.cmdline}\n`, parts = {} } = scene;
  const root = await temporaryDirectory(t);
  const entries = join(root, 'EFI/Linux');
  await mkdir(entries, { recursive: true });
  const image = scene.image ?? (await assembleUki({ stub, sections }));
  for (const name of names) await image.writeTo(join(entries, name));
  const metaFile = join(root, 'meta');
  await writeFile(metaFile, '');
  await truncate(metaFile, 1 << 20);
  const meta = await Meta.open(metaFile);
  const selected = parseEntryName(names[0] ?? '') ?? { imageVersion: '1.14.1', sequence: 2 };
  const sha256 = (await image.digest('sha256')).toString('hex');
  const record = (digest: string): Promise<void> => {
    const { imageVersion, sequence } = selected;
    const entry = { imageVersion, sequence, sha256: digest, sizeBytes: image.size };
    return writeBootRecord(meta, withEntry(emptyBootRecord, entry));
  };
  await record(sha256);
  const loaded: NextKernel[] = [];
  const kexec = new Kexec({
    log,
    meta: () => meta,
    menu: new BootMenu({
      device: async () => '',
      loader: async () => ({ selected, partitionUuid: undefined, loader: 'systemd-boot' }),
      imageVersion: async () => '',
      target: root,
      open: (booted) => new BootPartition(directoryFiles(entries), booted),
    }),
    obstacle: async () => undefined,
    addition: stubAddition,
    runningLine: async () => runningLine,
    load: async (next) => void loaded.push(next),
    ...parts,
  });
  return { root, kexec, meta, loaded, record, file: join(entries, names[0] ?? '') };
}

test('the kernel of the entry that runs is loaded with what the image has, and the start is remembered', async (t) => {
  const { kexec, loaded, meta } = await nodeWith(t);
  t.is(await kexec.load(signal), undefined);
  const [next] = loaded;
  t.deepEqual(await next?.linux.bytes(), await sections.linux.bytes());
  t.deepEqual(await next?.initrd.bytes(), await sections.initrd.bytes());
  t.is(next?.commandLine, `${sections.cmdline} panic=10 os.boot.start=kexec`);
  t.deepEqual(readKexecMark(meta), { entry: '1.14.1-2', hasFailed: false });
  await kexec.forget();
  t.is(readKexecMark(meta), undefined);
});

test('of a start without the firmware the next one has the same line, and what GRUB has said goes along', async (t) => {
  const grub = '"os.boot.entry=nodeos-1.14.1-2.efi" os.boot.partition=1-2';
  const line = `BOOT_IMAGE=(uki_a)8+9 ${sections.cmdline} ${grub} panic=10 os.boot.start=kexec`;
  const { kexec, loaded } = await nodeWith(t, { runningLine: line });
  t.is(await kexec.load(signal), undefined);
  t.is(
    loaded[0]?.commandLine,
    `${sections.cmdline} os.boot.entry="nodeos-1.14.1-2.efi" os.boot.partition=1-2 panic=10 os.boot.start=kexec`,
  );
  t.is(startedBy(loaded[0]?.commandLine ?? ''), 'kexec');
  t.is(startedBy(`${sections.cmdline}\n`), 'firmware');
});

test('what the image says of a panic counts', async (t) => {
  const cmdline = `${sections.cmdline} panic=0`;
  const image = await assembleUki({ stub, sections: { ...sections, cmdline } });
  const { kexec, loaded } = await nodeWith(t, { image, runningLine: cmdline });
  t.is(await kexec.load(signal), undefined);
  t.is(loaded[0]?.commandLine, `${cmdline} os.boot.start=kexec`);
});

const staged = 'nodeos-1.14.2-3+3.efi';
type Refusal = readonly [
  title: string,
  reason: RegExp,
  scene?: Scene,
  change?: (node: Awaited<ReturnType<typeof nodeWith>>) => Promise<unknown>,
];
const refusals: readonly Refusal[] = [
  ['there is an obstacle', /^it is not proven$/u, { parts: { obstacle: async () => 'it is not proven' } }],
  ['no system disk is known', /no system disk/u, { parts: { meta: () => undefined } }],
  [
    'a new release waits for its first start',
    /starts nodeos-1\.14\.2-3\+3\.efi next/u,
    { names: [good, staged] },
  ],
  [
    'the release is on trial',
    /\+2-1\.efi has not proven itself yet/u,
    { names: ['nodeos-1.14.1-2+2-1.efi'] },
  ],
  ['nothing of its menu runs', /no entry of the boot menu runs/u, { names: ['other.efi'] }],
  ['the record has no digest', /no digest of nodeos-1\.14\.1-2\.efi/u, {}, ({ record }) => record('')],
  [
    'the record has another digest',
    /was promised as 0{64}, and is/u,
    {},
    ({ record }) => record('0'.repeat(64)),
  ],
  ['META has no record', /no digest/u, {}, ({ meta }) => meta.set(metaTag.bootRecord, undefined)],
  [
    'the image on the disk is cut off',
    /was promised as/u,
    {},
    async ({ file }) => truncate(file, (await stat(file)).size - 1),
  ],
  [
    'a byte of the image is another one',
    /was promised as/u,
    {},
    async ({ file }) => {
      const bytes = await readFile(file);
      bytes[bytes.length - 600]! ^= 1;
      await writeFile(file, bytes);
    },
  ],
  [
    'the image is none, as it was promised',
    /not a PE file for UEFI/u,
    { image: View.of(Buffer.alloc(4096, 1)) },
  ],
  [
    'somebody has given the kernel another line',
    /another command line than its image has/u,
    { runningLine: `${sections.cmdline} init=/bin/sh` },
  ],
  ['a word of the line is gone', /another command line/u, { runningLine: 'console=ttyS0' }],
  [
    'the stub would add something to every image',
    /what is in loader\/addons would be missing/u,
    {},
    async ({ root }) => {
      await mkdir(join(root, 'loader/addons'), { recursive: true });
      await writeFile(join(root, 'loader/addons/more.addon.efi'), '');
    },
  ],
  [
    'the stub would add something to this image',
    /what is in EFI\/Linux\/nodeos-1\.14\.1-2\.efi\.extra\.d would be missing/u,
    {},
    ({ root }) => mkdir(join(root, `EFI/Linux/${good}.extra.d`)),
  ],
  [
    'the last one did not come up',
    /the last start of nodeos-1\.14\.1-2\.efi without the firmware did not become ready/u,
    {},
    ({ meta }) => writeKexecMark(meta, { entry: '1.14.1-2', hasFailed: true }),
  ],
];

for (const [title, reason, scene, change] of refusals)
  test(`nothing is loaded where ${title}, with the reason`, async (t) => {
    const node = await nodeWith(t, scene);
    await change?.(node);
    const mark = readKexecMark(node.meta);
    t.regex((await node.kexec.load(signal)) ?? '', reason);
    t.deepEqual(node.loaded, []);
    t.deepEqual(readKexecMark(node.meta), mark);
  });

test('a start that failed says nothing of another release, and a mark that can not be read of none', async (t) => {
  const { kexec, meta } = await nodeWith(t);
  await writeKexecMark(meta, { entry: '1.14.0-1', hasFailed: true });
  t.is(await kexec.load(signal), undefined);
  for (const value of [Buffer.from('{"ent'), encodeJsonValue([1]), encodeJsonValue({ entry: 4 })]) {
    await meta.set(metaTag.kexec, value);
    t.is(readKexecMark(meta), undefined);
  }
});

test('a kernel that the running one does not take leaves no mark and no file; a defect is told as one', async (t) => {
  const directory = join(await temporaryDirectory(t), 'kexec');
  const refused = await nodeWith(t, {
    parts: {
      load: (next, until) => loadKernel({ ...next, linux: View.of(Buffer.alloc(4096)) }, directory, until),
    },
  });
  t.regex((await refused.kexec.load(signal)) ?? '', /^the kernel loads no other one: E[A-Z]+$/u);
  t.is(readKexecMark(refused.meta), undefined);
  t.deepEqual(await readdir(join(directory, '..')), []);
  const broken = await nodeWith(t, {
    parts: { load: () => Promise.reject(new TypeError('x is not a function')) },
  });
  await t.throwsAsync(broken.kexec.load(signal), { instanceOf: TypeError });
});

test('what the firmware has started is loaded once its digest is known, and a digest that is known is never replaced', async (t) => {
  const { kexec, meta, loaded, record, file } = await nodeWith(t);
  await meta.set(metaTag.bootRecord, undefined);
  t.regex((await kexec.load(signal)) ?? '', /no digest/u);
  await kexec.remember(signal);
  t.is(await kexec.load(signal), undefined);
  t.is(loaded.length, 1);
  t.like(readBootRecord(meta, log), { sequence: 2, entries: [{ imageVersion: '1.14.1', sequence: 2 }] });
  await truncate(file, (await stat(file)).size - 1);
  await kexec.remember(signal);
  t.regex((await kexec.load(signal)) ?? '', /was promised as/u);
  await record('');
  await kexec.remember(signal);
  t.like(readBootRecord(meta, log).entries[0], { sizeBytes: (await stat(file)).size });
  const trying = await nodeWith(t, { names: ['nodeos-1.14.1-2+2-1.efi'] });
  await trying.record('');
  await trying.kexec.remember(signal);
  t.is(readBootRecord(trying.meta, log).entries[0]?.sha256, '', 'it may not come up yet');
});

test('a reboot that is not waited for any more leaves no mark', async (t) => {
  const gone = new AbortController();
  const { kexec, meta } = await nodeWith(t, {
    parts: {
      load: async () =>
        gone.abort(Object.assign(new Error('taken over'), { code: 'ERR_LIFECYCLE_CANCELED' })),
    },
  });
  t.is(await kexec.load(gone.signal), 'taken over');
  t.is(readKexecMark(meta), undefined);
});
