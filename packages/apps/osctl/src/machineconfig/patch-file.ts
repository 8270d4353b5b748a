import { print, readNamed, type Terminal } from '@nodecore/cli';
import { decode, patchConfiguration, redact } from '@nodecore/config';
import { stat, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

import { codeOf, writeFileAtomic } from '@nodecore/sys';

import { patchedName } from '../configuration/read.ts';
import { OutputError } from '../errors.ts';
import { readPatches } from '../configuration/read-patches.ts';
import { checkPatched } from '../configuration/check-patched.ts';

export type LocalPatch = {
  /** Path, or `-` for standard input. */
  readonly file: string;
  readonly patches: readonly string[];
  /** Undefined: standard output, without secrets. */
  readonly output?: string;
};

/**
 * Patches a configuration file. Into a file it is written with its secrets, for its owner alone; on standard output they are
 * hidden, and a node that has them takes it nevertheless.
 */
export async function patchFile({ file, patches, output }: LocalPatch, terminal: Terminal): Promise<void> {
  const data = file === '-' ? await buffer(terminal.input) : await readNamed(file, '<machineconfig-file>');
  const place = file === '-' ? '<stdin>' : file;
  const given = decode(data, { file: place });
  const text = patchConfiguration(given, await readPatches(patches, '-p'), { file: place });
  checkPatched(text, patchedName(place), terminal);
  if (output === undefined) {
    await print(terminal.out, redact(text));
    return;
  }
  try {
    await replaceFile(output, text);
  } catch (error) {
    throw new OutputError(output, codeOf(error) ?? String(error));
  }
}

/** Whole or not at all, and readable for nobody else, whatever was there; a pipe or terminal is written to as it is. */
async function replaceFile(path: string, text: string): Promise<void> {
  const present = await stat(path).catch(() => undefined);
  if (present === undefined || present.isFile()) await writeFileAtomic(path, text, { mode: 0o600 });
  else await writeFile(path, text);
}
