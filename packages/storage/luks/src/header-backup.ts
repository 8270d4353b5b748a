import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

import { codeOf } from '@nodecore/sys';

import { found } from './device.ts';
import { LuksError, unsupported } from './errors.ts';
import { judgeCopies, readBytesCopies } from './header-copies.ts';
import { keyslotRegion } from './keyslot-area.ts';
import { loadTrusted } from './load.ts';
import { exclusively } from './queue.ts';
import type { ReadOptions } from './read-options.ts';

export type BackupOptions = ReadOptions & {
  /** A new file, `0600`, synced with its directory. One that exists is never replaced. */
  readonly file?: string;
};

export type HeaderBackup = {
  /** Both copies of the header and all keyslots: what `cryptsetup luksHeaderBackup` writes. */
  readonly bytes: Uint8Array;
  readonly uuid: string;
};

/** How often the area is read until two reads agree. Somebody else's change takes a moment, not ten. */
const maxReads = 10;

/**
 * Takes a copy of a header and its keyslots. Whoever has it and one of the keys of that day reads the volume, even after the
 * key was removed from the volume: keep it as you keep a key. It is not encrypted beyond what its keyslots are.
 *
 * @throws {LuksError} `ERR_LUKS_EXISTS` when the file exists; `ERR_LUKS_BUSY` when another process keeps changing the header.
 */
export async function backup(device: string, options: BackupOptions = {}): Promise<HeaderBackup> {
  const { file, signal } = options;
  return await exclusively({ device, signal }, async () => {
    const taken = await readArea(device, signal);
    if (file !== undefined) await writeNewFile(file, taken.bytes);
    return taken;
  });
}

/**
 * Reads the area until it stands still and is whole. Loading the header first repairs a damaged copy, so that what is
 * kept is two valid ones.
 */
async function readArea(device: string, signal?: AbortSignal): Promise<HeaderBackup> {
  const { handle, facts } = await loadTrusted(device);
  await handle[Symbol.asyncDispose]();
  const region = keyslotRegion(facts);
  const sizeBytes = Number(region.offset + region.sizeBytes);
  if (BigInt(sizeBytes) > facts.dataOffset) throw unsupported(device, 'keyslots that reach into the data');
  let last: Buffer | undefined;
  for (let count = 0; count < maxReads; count += 1) {
    signal?.throwIfAborted();
    const bytes = await readWhole(device, sizeBytes);
    const { verdict, newest } = judgeCopies(await readBytesCopies(bytes));
    // The same twice, with both copies in agreement: no change was half way through either read.
    if (verdict === 'consistent' && newest !== undefined && last?.equals(bytes) === true) {
      return { bytes, uuid: newest.uuid };
    }
    last = bytes;
  }
  throw new LuksError('ERR_LUKS_BUSY', device, '', `${device}: the header does not stop changing`);
}

async function readWhole(device: string, sizeBytes: number): Promise<Buffer> {
  await using handle = await found(device, 'open', open(device, 'r'));
  const bytes = Buffer.alloc(sizeBytes);
  for (let position = 0; position < sizeBytes;) {
    const { bytesRead } = await found(
      device,
      'read',
      handle.read(bytes, position, sizeBytes - position, position),
    );
    if (bytesRead === 0)
      throw unsupported(device, `it ends after ${position} of ${sizeBytes} bytes of header`);
    position += bytesRead;
  }
  return bytes;
}

async function writeNewFile(file: string, bytes: Uint8Array): Promise<void> {
  try {
    await using handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } catch (error) {
      await rm(file); // half a backup is worse than none: somebody might count on it
      throw error;
    }
    await using directory = await open(dirname(file), 'r');
    await directory.sync();
  } catch (error) {
    const errno = codeOf(error) ?? '';
    const code = errno === 'EEXIST' ? 'ERR_LUKS_EXISTS' : 'ERR_LUKS_FAILED';
    throw new LuksError(code, file, errno, `header backup to ${file}: ${errno}`, { cause: error });
  }
}
