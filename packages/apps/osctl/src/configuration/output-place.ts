import { constants } from 'node:fs';
import { lstat, open, realpath, stat } from 'node:fs/promises';

import { OutputError } from '@nodecore/cli';
import { codeOf } from '@nodecore/sys';

/** Where an output goes: a file is replaced as a whole, or made; what is no file is written to as it is. */
export type OutputPlace = {
  readonly path: string;
  readonly kind: 'file' | 'stream';
  readonly isThere: boolean;
};

/** Descriptors of this process: what is there already may be what somebody appends to. */
const descriptor = /^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/u;

/**
 * Where a path leads that a command line names. A link stays a link: the file that it names is replaced. A link of another user is
 * refused, as it would choose which file of the caller's goes.
 *
 * @throws {OutputError} also for a directory, and for a link that leads nowhere.
 */
export async function outputPlace(path: string): Promise<OutputPlace> {
  if (descriptor.test(path)) return { path, kind: 'stream', isThere: true };
  try {
    const named = await lstat(path).catch(absent);
    if (named === undefined) return { path, kind: 'file', isThere: false };
    if (named.isSymbolicLink() && named.uid !== 0 && named.uid !== process.geteuid?.())
      throw new OutputError(path, 'it is a link of another user');
    const meant = await stat(path).catch(absent);
    if (meant === undefined) throw new OutputError(path, 'it is a link that leads nowhere');
    if (meant.isDirectory()) throw new OutputError(path, 'it is a directory');
    if (!meant.isFile()) return { path, kind: 'stream', isThere: true };
    return { path: await realpath(path), kind: 'file', isThere: true };
  } catch (error) {
    throw error instanceof OutputError ? error : new OutputError(path, codeOf(error) ?? String(error));
  }
}

/** Writes to a pipe, a terminal or another device; nothing is truncated. @throws {OutputError} */
export async function writeStream(path: string, data: Uint8Array | string): Promise<void> {
  try {
    await using stream = await open(path, constants.O_WRONLY | constants.O_APPEND);
    await stream.writeFile(data);
  } catch (error) {
    throw new OutputError(path, codeOf(error) ?? String(error));
  }
}

function absent(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}
