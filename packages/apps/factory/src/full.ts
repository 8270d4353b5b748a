import { codeOf } from '@nodecore/sys';

/** https://sqlite.org/rescode.html. */
const sqliteFull = 13;
/** SQLITE_IOERR_SHMSIZE: the file of shared memory beside a database could not grow; that it was for want of room is not said. */
const sqliteMemoryFile = 4_874;

/** Whether a disk has no room, by an error of the system or of SQLite. */
export function isFull(error: unknown): boolean {
  if (error instanceof Error && 'errcode' in error) {
    const code = Number(error.errcode);
    return code % 256 === sqliteFull || code === sqliteMemoryFile;
  }
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error) ?? '');
}
