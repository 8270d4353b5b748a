import { readdir, rm } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

import { EfiError } from '../errors.ts';
import { guids } from '../guid.ts';
import { attributes } from '../variables/attributes.ts';
import { efivars, readVariable, variablePath, writeVariable } from '../variables/firmware.ts';
import type { BootFile } from './device-path.ts';
import { encodeLoadOption, parseLoadOption } from './load-option.ts';

export type BootOptionRequest = {
  /** Shown in the firmware's menu; options with it that start `file.path` are ours. */
  readonly description: string;
  readonly file: BootFile;
  /**
   * - `first`: it starts before all others
   * - `present`: where it is in the order it stays; else it becomes the first
   */
  readonly order: 'first' | 'present';
  /** Whether a disk of this machine has the partition: an option of ours for one that is gone is used anew. */
  readonly hasPartition: (partitionGuid: string) => boolean;
  /** Where efivarfs is mounted when not in its usual place. */
  readonly root?: string;
};

/** What became of the request. */
export type BootOptionResult = {
  /** `Boot0003` */
  readonly name: string;
  readonly changed: boolean;
};

type Found = { readonly number: number; readonly value: Buffer };

const kept = attributes.nonVolatile | attributes.bootService | attributes.runtime;

/**
 * Has the firmware start a file of this machine's disk, by an option of its own (`Boot####`) and its place in `BootOrder`. Options of
 * others are neither changed nor removed, and keep their order. Nothing is written when all is there. As root.
 *
 * @returns undefined where no firmware keeps variables: BIOS, or efivarfs is not mounted.
 * @throws {EfiError} `ERR_EFI_FIRMWARE` when the firmware keeps something else than was written, or holds what it can't.
 * @throws the system's error when it refuses: `ENOSPC`, `EROFS`, `EPERM`, `EINVAL`, `EIO`.
 */
export async function ensureBootOption(request: BootOptionRequest): Promise<BootOptionResult | undefined> {
  const { root = efivars } = request;
  const found = await bootOptions(root);
  if (found === undefined) return undefined;
  const order = await readOrder(root);
  const own = ownOption(found, request);
  const number = own?.number ?? freeNumber(found, order);
  const name = nameOf(number);
  let changed = false;
  if (own === undefined || !own.isCurrent) {
    await write({ name, root }, encodeLoadOption(request));
    changed = true;
  }
  const isPlaced = request.order === 'first' ? order[0] === number : order.includes(number);
  if (isPlaced) return { name, changed };
  const next = [number, ...order.filter((each) => each !== number)];
  await write({ name: 'BootOrder', root }, encodeOrder(next));
  return { name, changed: true };
}

/** All options, or undefined without a firmware that keeps some. */
async function bootOptions(root: string): Promise<readonly Found[] | undefined> {
  const names = await readdir(root).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  if (names.length === 0) return undefined;
  const found: Found[] = [];
  for (const file of names) {
    const match = /^(?<name>Boot(?<digits>[0-9A-F]{4}))-(?<vendor>[0-9a-f-]{36})$/u.exec(file)?.groups;
    const { name = '', digits = '', vendor } = match ?? {};
    if (vendor !== guids.global) continue;
    found.push({ number: Number.parseInt(digits, 16), value: await readValue({ name, root }) });
  }
  return found;
}

/** A variable that can't be read, or is gone meanwhile, is somebody's: its number is taken, and it says nothing. */
async function readValue({ name, root }: { readonly name: string; readonly root: string }): Promise<Buffer> {
  const variable = await readVariable({ name, vendor: guids.global, root }).catch(() => undefined);
  return variable?.value ?? Buffer.alloc(0);
}

function ownOption(
  found: readonly Found[],
  { description, file, hasPartition }: BootOptionRequest,
): (Found & { readonly isCurrent: boolean }) | undefined {
  const own = found.flatMap(({ number, value }) => {
    const option = parseLoadOption(value);
    if (option?.file?.path.toLowerCase() !== file.path.toLowerCase()) return [];
    return [{ number, value, description: option.description, ...option.file.partition }];
  });
  const wanted = file.partition;
  const same = own.find(({ partitionGuid }) => partitionGuid === wanted.partitionGuid.toLowerCase());
  if (same !== undefined) {
    const isCurrent =
      same.index === wanted.index &&
      same.startSector === wanted.startSector &&
      same.sectors === wanted.sectors;
    return { ...same, isCurrent };
  }
  const stale = own.find((each) => each.description === description && !hasPartition(each.partitionGuid));
  return stale && { ...stale, isCurrent: false };
}

/** The lowest that neither an option nor the order has. */
function freeNumber(found: readonly Found[], order: readonly number[]): number {
  const taken = new Set([...found.map(({ number }) => number), ...order]);
  for (let number = 0; number <= 0xffff; number += 1) if (!taken.has(number)) return number;
  throw new EfiError('ERR_EFI_FIRMWARE', 'the firmware has no number left for a boot option');
}

async function readOrder(root: string): Promise<readonly number[]> {
  const value = (await readVariable({ name: 'BootOrder', vendor: guids.global, root }))?.value;
  if (value === undefined) return [];
  if (value.length % 2 !== 0)
    throw new EfiError('ERR_EFI_FIRMWARE', `BootOrder has ${value.length} bytes: it is no list of numbers`);
  return Array.from({ length: value.length / 2 }, (_, index) => value.readUInt16LE(index * 2));
}

function encodeOrder(order: readonly number[]): Buffer {
  const value = Buffer.alloc(order.length * 2);
  for (const [index, number] of order.entries()) value.writeUInt16LE(number, index * 2);
  return value;
}

/** Some firmware says yes and keeps nothing: what it has is read back. */
async function write(
  variable: { readonly name: string; readonly root: string },
  value: Buffer,
): Promise<void> {
  const named = { ...variable, vendor: guids.global };
  const before = await readVariable(named);
  try {
    await writeVariable(named, { attributes: kept, value });
    const stored = await readVariable(named);
    if (stored?.value.equals(value) !== true)
      throw new EfiError('ERR_EFI_FIRMWARE', `${variable.name} is not what was written to it`);
  } catch (error) {
    // efivarfs shows a refused new variable as an empty file until it is removed.
    if (before === undefined) await rm(variablePath(named), { force: true }).catch(() => {});
    throw error;
  }
}

function nameOf(number: number): string {
  return `Boot${number.toString(16).toUpperCase().padStart(4, '0')}`;
}
