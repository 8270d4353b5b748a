import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { type BootFile, encodeLoadOption, ensureBootOption, guids, parseLoadOption } from '../src/index.ts';

const path = '\\EFI\\systemd\\systemd-bootx64.efi';
const [here, gone] = ['0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0', 'ffffffff-4f50-6172-8394-a5b6c7d8e9f0'];

function bootFile(partitionGuid: string = here, startSector = 2048n): BootFile {
  return { partition: { index: 1, partitionGuid, startSector, sectors: 1_048_576n }, path };
}

/** What another system has written: by its own name, with data of its own behind. */
const foreign = Buffer.concat([
  encodeLoadOption({
    description: 'Windows Boot Manager',
    file: { ...bootFile(gone), path: '\\EFI\\w.efi' },
  }),
  Buffer.from('WINDOWS'),
]);
/** A network card: a device path that is no file. */
const network = Buffer.concat([
  Buffer.from('010000001000', 'hex'),
  Buffer.from('net\0', 'utf16le'),
  Buffer.from('02010c00d041030a000000007fff0400', 'hex'),
]);

type Firmware = Readonly<Record<string, Buffer>>;

/** A directory as efivarfs shows it. */
async function firmware(t: ExecutionContext, variables: Firmware = {}) {
  const root = await temporaryDirectory(t);
  const file = (name: string): string => join(root, `${name}-${guids.global}`);
  const put = (name: string, value: Uint8Array): Promise<void> =>
    writeFile(file(name), Buffer.concat([Buffer.from([7, 0, 0, 0]), value]));
  await put('BootCurrent', Buffer.from([0, 0]));
  for (const [name, value] of Object.entries(variables)) await put(name, value);
  const value = async (name: string): Promise<Buffer> => (await readFile(file(name))).subarray(4);
  const order = async (): Promise<readonly number[]> => [
    ...new Uint16Array(new Uint8Array(await value('BootOrder')).buffer),
  ];
  const ensure = (
    bootOption: BootFile = bootFile(),
    place: 'first' | 'present' = 'first',
    hasPartition: (guid: string) => boolean = (guid) => guid === here,
  ) => ensureBootOption({ description: 'nodeos', file: bootOption, order: place, hasPartition, root });
  return { root, put, value, order, ensure, names: () => readdir(root) };
}

const orderOf = (...numbers: readonly number[]): Buffer => Buffer.from(new Uint16Array(numbers).buffer);

const text = (words: string): string => Buffer.from(`${words}\0`, 'utf16le').toString('hex');

test('a boot option has the bytes that the specification gives it, and comes back as it was', (t) => {
  const bytes = encodeLoadOption({ description: 'nodeos', file: bootFile() });
  t.is(
    bytes.toString('hex'),
    [
      '01000000', // active
      '7400', // the device path
      text('nodeos'),
      '04012a000100000000080000000000000000100000000000', // the first partition, from sector 2048
      '3e2d1c0b504f72618394a5b6c7d8e9f00202',
      `04044600${text(path)}`,
      '7fff0400',
    ].join(''),
  );
  t.deepEqual(parseLoadOption(bytes), { description: 'nodeos', file: bootFile() });
  t.throws(() => encodeLoadOption({ description: 'a\0b', file: bootFile() }), { code: 'ERR_EFI_VARIABLE' });
});

test('ours starts first, and what others have keeps its bytes and its order', async (t) => {
  const { ensure, order, value } = await firmware(t, {
    Boot0000: foreign,
    Boot0002: network,
    BootOrder: orderOf(2, 0, 1),
  });
  // 1 is in the order without an option: somebody may be about to write it.
  t.deepEqual(await ensure(), { name: 'Boot0003', changed: true });
  t.deepEqual(await order(), [3, 2, 0, 1]);
  t.deepEqual(await value('Boot0000'), foreign);
  t.deepEqual(await value('Boot0002'), network);
  t.deepEqual(parseLoadOption(await value('Boot0003')), { description: 'nodeos', file: bootFile() });
});

test('nothing is written when all is there, and an order that somebody has chosen stays', async (t) => {
  const { ensure, order, put } = await firmware(t, { Boot0000: foreign, BootOrder: orderOf(0) });
  await ensure();
  t.deepEqual(await ensure(), { name: 'Boot0001', changed: false });
  await put('BootOrder', orderOf(0, 1));
  t.deepEqual(await ensure(bootFile(), 'present'), { name: 'Boot0001', changed: false });
  t.deepEqual(await order(), [0, 1]);
  await put('BootOrder', orderOf(0));
  t.deepEqual(await ensure(bootFile(), 'present'), { name: 'Boot0001', changed: true });
  t.deepEqual(await order(), [1, 0]);
});

test('an option of ours for a partition that is gone is used anew, and one for a disk that is here is not', async (t) => {
  const before = encodeLoadOption({ description: 'nodeos', file: bootFile(gone) });
  const variables = { Boot0007: before, BootOrder: orderOf(7) };
  const machine = await firmware(t, variables);
  t.deepEqual(await machine.ensure(), { name: 'Boot0007', changed: true });
  t.deepEqual(parseLoadOption(await machine.value('Boot0007'))?.file, bootFile());
  const two = await firmware(t, variables);
  t.deepEqual(await two.ensure(bootFile(), 'first', () => true), { name: 'Boot0000', changed: true });
  t.deepEqual(await two.value('Boot0007'), before);
  t.deepEqual(await two.order(), [0, 7]);
});

test('an option of ours for a partition that has moved follows it', async (t) => {
  const { ensure, value } = await firmware(t);
  await ensure();
  t.deepEqual(await ensure(bootFile(here, 4096n)), { name: 'Boot0000', changed: true });
  t.is(parseLoadOption(await value('Boot0000'))?.file?.partition.startSector, 4096n);
});

test('a machine without variables of a firmware is left alone', async (t) => {
  const root = await temporaryDirectory(t);
  const request = {
    description: 'nodeos',
    file: bootFile(),
    order: 'first',
    hasPartition: () => true,
  } as const;
  t.is(await ensureBootOption({ ...request, root }), undefined);
  t.is(await ensureBootOption({ ...request, root: join(root, 'absent') }), undefined);
  t.deepEqual(await readdir(root), []);
});

test('an order that is no list of numbers is refused, and nothing is written', async (t) => {
  const { ensure, names } = await firmware(t, { BootOrder: Buffer.alloc(3) });
  const before = await names();
  await t.throwsAsync(ensure(), { code: 'ERR_EFI_FIRMWARE', message: /BootOrder has 3 bytes/u });
  t.deepEqual(await names(), before);
});

test('options of any bytes belong to somebody: they are read, and neither taken for ours nor changed', async (t) => {
  const ours = encodeLoadOption({ description: 'nodeos', file: bootFile(gone) });
  const hostile: Record<string, Buffer> = { Boot0000: Buffer.alloc(0), Boot0001: Buffer.alloc(64, 0xff) };
  for (let size = 1; size < ours.length; size += 7)
    hostile[`Boot${(size + 0x10).toString(16).toUpperCase().padStart(4, '0')}`] = ours.subarray(0, size);
  const { ensure, value } = await firmware(t, hostile);
  t.deepEqual(await ensure(), { name: 'Boot0002', changed: true });
  for (const [name, bytes] of Object.entries(hostile)) t.deepEqual(await value(name), bytes, name);
});
