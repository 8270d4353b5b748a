import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program of this computer, also of root's; undefined where there is none. */
export function programPath(name: string): string | undefined {
  return `${process.env['PATH'] ?? ''}${delimiter}/usr/sbin${delimiter}/sbin`
    .split(delimiter)
    .filter((directory) => directory !== '')
    .map((directory) => join(directory, name))
    .find(isProgram);
}

/** Whether it can be run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
