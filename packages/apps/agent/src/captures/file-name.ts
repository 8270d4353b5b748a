import { CapturesError } from './errors.ts';

/** No separators and no leading dot: it can't lead out of the directory. */
const fileName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
/** What a ring adds to a name: `-00001`. */
export const numberLength = 6;
/** Of a name that is asked for. */
export const longestName = 100;

/** @throws {CapturesError} `ERR_CAPTURES_REQUEST` */
export function checkFileName(name: string, most: number): void {
  if (fileName.test(name) && name.length <= most) return;
  const message = `${JSON.stringify(name)} is no name of a file: letters, digits, '.', '_' and '-', at most ${most}`;
  throw new CapturesError('ERR_CAPTURES_REQUEST', message);
}
