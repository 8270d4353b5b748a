import { codeOf } from '@nodecore/sys';

import { StateError, type StateErrorCode } from '../state-error.ts';

/** The low byte of SQLite's result codes. https://www.sqlite.org/rescode.html */
const byResult: Readonly<Record<number, StateErrorCode>> = {
  5: 'ERR_STATE_LOCKED', // SQLITE_BUSY
  11: 'ERR_STATE_CORRUPT', // SQLITE_CORRUPT
  13: 'ERR_STATE_NO_SPACE', // SQLITE_FULL
  26: 'ERR_STATE_CORRUPT', // SQLITE_NOTADB
};

/** SQLITE_IOERR: after one in a commit nobody knows what the disk has. */
const ioError = 10;

/** What SQLite said, as an error of ours; everything else as it is. */
export function storeError(path: string, error: unknown): unknown {
  if (codeOf(error) !== 'ERR_SQLITE_ERROR' || !(error instanceof Error)) return error;
  const code = byResult[resultOf(error) & 0xff] ?? 'ERR_STATE_FAILED';
  return new StateError(code, path, error.message, { cause: error });
}

/** Whether the file can't be trusted any more before it is opened again. */
export function isIoError(error: unknown): boolean {
  return (
    codeOf(error) === 'ERR_SQLITE_ERROR' && error instanceof Error && (resultOf(error) & 0xff) === ioError
  );
}

function resultOf(error: Error): number {
  return 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;
}
