import { OutputError } from '@nodecore/cli';
import { codeOf, writeFileAtomic } from '@nodecore/sys';

import { outputPlace, writeStream } from './output-place.ts';

/**
 * Writes a configuration, secrets included: whole or not at all, and readable for nobody else, whatever was there; a pipe or
 * terminal is written to as it is.
 *
 * @throws {OutputError}
 */
export async function writeText(path: string, text: string): Promise<void> {
  const place = await outputPlace(path);
  if (place.kind === 'stream') {
    await writeStream(path, text);
    return;
  }
  try {
    await writeFileAtomic(place.path, text, { mode: 0o600 });
  } catch (error) {
    throw new OutputError(path, codeOf(error) ?? String(error));
  }
}
