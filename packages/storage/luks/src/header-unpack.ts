import { writeFile } from 'node:fs/promises';

import { checkBackup } from './header-backup-check.ts';
import { type HeaderFile, headerFile } from './header-file.ts';
import { exclusively } from './queue.ts';
import type { ReadOptions } from './read-options.ts';

export type UnpackOptions = ReadOptions & {
  /** As for `restore`. */
  readonly expectUuid?: string;
};

/** A backup in a file: `keyslots.list`, `tokens.list` and `testKey` take its path. */
export type UnpackedBackup = HeaderFile & { readonly uuid: string };

/**
 * Puts a header backup in a file of its own, to find out which key opens it before `restore` takes the keyslots of the
 * device away. The backup is checked as `restore` does; the device is only read.
 *
 * @param from a file, or its bytes.
 * @throws {LuksError} `ERR_LUKS_BACKUP` for a backup that is none, or not this volume's.
 */
export async function unpack(
  device: string,
  from: string | Uint8Array,
  { expectUuid, signal }: UnpackOptions = {},
): Promise<UnpackedBackup> {
  return await exclusively({ device, signal }, async () => {
    const { backup } = await checkBackup(device, from, expectUuid);
    const file = await headerFile((path) => writeFile(path, backup.bytes, { flag: 'wx', mode: 0o600 }));
    return { ...file, uuid: backup.copy.uuid };
  });
}
