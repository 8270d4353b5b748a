import { buffer } from 'node:stream/consumers';

import { readNamed, type Terminal } from '@nodecore/cli';
import { decode } from '@nodecore/config';

/** A configuration that the command line names. */
export type NamedText = {
  readonly text: string;
  /** For messages: the path, or `<stdin>`. */
  readonly place: string;
};

/**
 * Reads a configuration: a path, or `-` for standard input. Nothing of it is checked but that it is UTF-8.
 *
 * @throws {UsageError} when the file can't be read; {ConfigError} for bytes that are no UTF-8.
 */
export async function readText(file: string, flag: string, terminal: Terminal): Promise<NamedText> {
  const place = file === '-' ? '<stdin>' : file;
  const bytes = file === '-' ? await buffer(terminal.input) : await readNamed(file, flag);
  return { text: decode(bytes, { file: place }), place };
}
