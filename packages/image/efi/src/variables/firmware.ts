import { type FileHandle, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, ioctl, SystemCallError } from '@nodecore/sys';

import { EfiError } from '../errors.ts';
import { guidBytes } from '../guid.ts';
import { nameBytes } from './key-variables.ts';

/** Where efivarfs is mounted. */
export const efivars = '/sys/firmware/efi/efivars';
/** linux/fs.h; `long` is 8 bytes. */
const FS_IOC_GETFLAGS = 0x8008_6601;
const FS_IOC_SETFLAGS = 0x4008_6602;
const FS_IMMUTABLE_FL = 0x10;

/** A variable of this machine's firmware. */
export type FirmwareVariable = { readonly attributes: number; readonly value: Buffer };

/** What a variable is called, and where efivarfs is mounted when not in its usual place. */
export type VariableName = { readonly name: string; readonly vendor: string; readonly root?: string };

/**
 * Reads a variable of the firmware; undefined when there is none of that name. Most are readable by all.
 *
 * @throws {EfiError} `ERR_EFI_FIRMWARE` for a value that is no variable.
 */
export async function readVariable(variable: VariableName): Promise<FirmwareVariable | undefined> {
  const path = variablePath(variable);
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  if (bytes.length < 4) throw new EfiError('ERR_EFI_FIRMWARE', `${path} has ${bytes.length} bytes`);
  return { attributes: bytes.readUInt32LE(0), value: bytes.subarray(4) };
}

/**
 * Writes a variable of the firmware, as root. The kernel marks most of them immutable, because firmware has died of removed ones:
 * the mark is taken away for the write, and set again.
 *
 * @throws the system's error: `ENOENT` where efivarfs is not mounted, `EACCES` when the firmware refuses a signature, `ENOSPC`.
 */
export async function writeVariable(
  variable: VariableName,
  { attributes, value }: { readonly attributes: number; readonly value: Uint8Array },
): Promise<void> {
  const path = variablePath(variable);
  const header = Buffer.alloc(4);
  header.writeUInt32LE(attributes);
  const bytes = Buffer.concat([header, value]);
  const marked = await unmark(path);
  try {
    // One write: efivarfs takes each as a whole value.
    await using file = await open(path, 'w', 0o644);
    const { bytesWritten } = await file.write(bytes);
    if (bytesWritten !== bytes.length) throw new EfiError('ERR_EFI_FIRMWARE', `${path}: a part was written`);
  } finally {
    if (marked !== undefined) await mark(path, marked);
  }
}

/**
 * Removes a variable of the firmware, as root. One that is not there is none.
 *
 * @throws the system's error: `EACCES`, `EPERM` when the firmware refuses.
 */
export async function removeVariable(variable: VariableName): Promise<void> {
  const path = variablePath(variable);
  const marked = await unmark(path);
  try {
    await unlink(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    if (marked !== undefined) await mark(path, marked);
    throw error;
  }
}

/**
 * The file of a variable.
 *
 * @throws {EfiError} `ERR_EFI_VARIABLE` for a name or a GUID that none has.
 */
export function variablePath({ name, vendor, root = efivars }: VariableName): string {
  nameBytes(name);
  guidBytes(vendor);
  return join(root, `${name}-${vendor.toLowerCase()}`);
}

/** The flags that a variable had, when it was marked; undefined when it is not, or not there yet. */
async function unmark(path: string): Promise<number | undefined> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const flags = await flagsOf(file, path);
    if ((flags & FS_IMMUTABLE_FL) === 0) return undefined;
    await setFlags(file, path, flags & ~FS_IMMUTABLE_FL);
    return flags;
  } finally {
    await file.close();
  }
}

async function mark(path: string, flags: number): Promise<void> {
  await using file = await open(path, 'r');
  await setFlags(file, path, flags);
}

/** File systems without flags, in tests, mark nothing. */
async function flagsOf(file: FileHandle, path: string): Promise<number> {
  const flags = Buffer.alloc(8);
  try {
    await ioctl({ fd: file.fd, path, name: 'FS_IOC_GETFLAGS' }, FS_IOC_GETFLAGS, flags);
  } catch (error) {
    if (error instanceof SystemCallError && ['ENOTTY', 'EOPNOTSUPP'].includes(error.errno)) return 0;
    throw error;
  }
  return flags.readUInt32LE(0);
}

async function setFlags(file: FileHandle, path: string, value: number): Promise<void> {
  const flags = Buffer.alloc(8);
  flags.writeUInt32LE(value);
  await ioctl({ fd: file.fd, path, name: 'FS_IOC_SETFLAGS' }, FS_IOC_SETFLAGS, flags);
}
