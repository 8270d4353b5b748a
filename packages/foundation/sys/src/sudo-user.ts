import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';

import { makeDirectory } from './make-directory.ts';

/** Who had root do this by sudo(8). */
export type SudoUser = { readonly uid: number; readonly gid: number };

/** Undefined for root itself, and where this is not root. */
export function sudoUser(env: NodeJS.ProcessEnv = process.env): SudoUser | undefined {
  const { SUDO_UID: uid = '', SUDO_GID: gid = '' } = env;
  const isCalled = process.geteuid?.() === 0 && [uid, gid].every((text) => /^[1-9]\d{0,9}$/.test(text));
  return isCalled ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

/**
 * {@link makeDirectory} for what is a user's although root makes it: what is made below a directory of who called sudo(8) is theirs, so
 * that the user's own programs write there, too. All else is as it would be.
 *
 * @throws {Error} as {@link makeDirectory}
 */
export async function makeUserDirectory(path: string): Promise<void> {
  const first = await makeDirectory(path);
  const user = sudoUser();
  if (first === undefined || user === undefined || (await lstat(dirname(first))).uid !== user.uid) return;
  let next = first;
  for (const name of ['', ...relative(first, resolve(path)).split(sep)]) {
    next = join(next, name);
    const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
    await using directory = await open(next, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    await directory.chown(user.uid, user.gid);
  }
}

/**
 * Gives a file that gets its name to who called sudo(8), where the one that it replaces is that user's, or it is new in a directory of
 * that user. Nobody else gets what root writes, whoever owns what was there.
 *
 * @param path where it is to be
 */
export async function giveToSudoUser(file: FileHandle, path: string): Promise<void> {
  const user = sudoUser();
  if (user === undefined) return;
  const there = await lstat(path).catch(async () => await lstat(dirname(path)));
  if (there.uid === user.uid) await file.chown(user.uid, user.gid);
}
