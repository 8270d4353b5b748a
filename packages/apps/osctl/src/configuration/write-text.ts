import { stat, writeFile } from 'node:fs/promises';

import { codeOf, writeFileAtomic } from '@nodecore/sys';

import { OutputError } from '../errors.ts';

/**
 * Writes a configuration, secrets included: whole or not at all, and readable for nobody else, whatever was there; a pipe or
 * terminal is written to as it is.
 *
 * @throws {OutputError}
 */
export async function writeText(path: string, text: string): Promise<void> {
  try {
    const present = await stat(path).catch(() => undefined);
    if (present === undefined || present.isFile()) await writeFileAtomic(path, text, { mode: 0o600 });
    else await writeFile(path, text);
  } catch (error) {
    throw new OutputError(path, codeOf(error) ?? String(error));
  }
}
