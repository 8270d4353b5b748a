import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

export type WriteFileAtomicOptions = {
  /** Permission bits of the file; 0o600 by default, because most of what we persist is nobody else's business. */
  readonly mode?: number;
};

/** What a file is to hold: bytes, or a function that writes the new file itself, which may have holes. */
export type FileData =
  | Uint8Array
  | string
  | AsyncIterable<Uint8Array>
  | ((file: FileHandle) => Promise<void>);

/** A file that is written and on the disk, and has its name only after `commit`. */
export type StagedFile = AsyncDisposable & {
  /** @throws {Error} with the code `ESTALE` when somebody else has put a part in place of ours; then nothing is replaced. */
  commit: () => Promise<void>;
};

/**
 * Replaces a file so that after a crash at any moment it holds either the old or the new bytes, whole:
 * `<path>.part`, fsync, rename, fsync of the directory. The part is always a new file of our own: one that is there keeps
 * its owner, its mode, its other names and the descriptors that others have open. When the data end with an error, nothing is replaced.
 *
 * @throws {Error} with the code `ESTALE` when somebody else has put a part in place of ours, and with `EINVAL` where a device, a pipe or
 *   a socket has the name; then nothing is replaced.
 */
export async function writeFileAtomic(
  path: string,
  data: FileData,
  options: WriteFileAtomicOptions = {},
): Promise<void> {
  await using staged = await stageFile(path, data, options);
  await staged.commit();
}

/**
 * The first half of {@link writeFileAtomic}: for several files that get their names when all of them are on the disk. Disposing it
 * before `commit` removes the part.
 */
export async function stageFile(
  path: string,
  data: FileData,
  options: WriteFileAtomicOptions = {},
): Promise<StagedFile> {
  await assertReplaceable(path);
  const part = `${path}.part`;
  await rm(part, { force: true }); // left by a crash, perhaps with other permission bits
  const file = await open(part, 'wx', options.mode ?? 0o600);
  let isCommitted = false;
  const end = async (): Promise<void> => {
    await using _open = file;
    if (isCommitted) return;
    if (await isStill(part, file)) await rm(part, { force: true });
  };
  try {
    await (typeof data === 'function' ? data(file) : file.writeFile(data));
    await file.sync();
  } catch (error) {
    await end();
    throw withPath(error, part);
  }
  return {
    commit: async () => {
      await assertStill(part, file);
      await rename(part, path);
      isCommitted = true;
      await syncDirectory(dirname(path));
    },
    [Symbol.asyncDispose]: end,
  };
}

/** Errors of descriptors name no file: whoever hears that a disk is full wants to know which. */
function withPath(error: unknown, path: string): unknown {
  const { syscall, path: known } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || !['write', 'fsync'].includes(syscall ?? '') || known !== undefined)
    return error;
  error.message += ` '${path}'`;
  return Object.assign(error, { path });
}

/** Root could put a file in place of `/dev/null`, and every program of the machine would write into it. */
async function assertReplaceable(path: string): Promise<void> {
  const there = await lstat(path).catch(() => undefined);
  if (there === undefined || there.isFile() || there.isSymbolicLink() || there.isDirectory()) return;
  const error = new Error(`EINVAL: ${path} is a device, a pipe or a socket: no file takes its place`);
  throw Object.assign(error, { code: 'EINVAL', path });
}

/** Two who write the same file at once remove each other's part: half of the other one must not get the name. */
async function assertStill(part: string, file: FileHandle): Promise<void> {
  if (await isStill(part, file)) return;
  const error = new Error(`ESTALE: somebody else writes ${part}`);
  throw Object.assign(error, { code: 'ESTALE', path: part });
}

async function isStill(part: string, file: FileHandle): Promise<boolean> {
  const own = await file.stat({ bigint: true });
  const named = await lstat(part, { bigint: true }).catch(() => undefined);
  return named !== undefined && isSameFile(named, own);
}

type FileNumbers = { readonly dev: bigint | number; readonly ino: bigint | number };

/** Whether two results of stat(2) are of one file. Both are to be of the same kind: numbers, or `bigint`. */
export function isSameFile(one: FileNumbers, other: FileNumbers): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

/** Removes a file durably. A file that is already gone is fine. */
export async function removeFileDurably(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncDirectory(dirname(path));
}

/** open(2): a directory entry survives a power cut only after an fsync of its directory. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
