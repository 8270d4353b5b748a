import { print, type Terminal } from '@nodecore/cli';
import { patchConfiguration, redact } from '@nodecore/config';

import { checkPatched } from '../configuration/check-patched.ts';
import { patchedName } from '../configuration/read.ts';
import { readPatches } from '../configuration/read-patches.ts';
import { readText } from '../configuration/read-text.ts';
import { writeText } from '../configuration/write-text.ts';

export type LocalPatch = {
  /** Path, or `-` for standard input. */
  readonly file: string;
  readonly patches: readonly string[];
  /** To delete what is not there is no problem. */
  readonly ignoreMissing: boolean;
  /** A line for each warning. */
  readonly isVerbose: boolean;
  /** Undefined: standard output, without secrets. */
  readonly output?: string;
};

/**
 * Patches a configuration file. Into a file it is written with its secrets, for its owner alone; on standard output they are
 * hidden, and a node that has them takes it nevertheless.
 */
export async function patchFile(
  { file, patches, ignoreMissing, isVerbose, output }: LocalPatch,
  terminal: Terminal,
): Promise<void> {
  const given = await readText(file, '<machineconfig-file>', terminal);
  const { place } = given;
  const text = patchConfiguration(given.text, await readPatches(patches, '-p'), {
    file: place,
    ignoreMissing,
  });
  checkPatched(text, patchedName(place), terminal, isVerbose);
  if (output === undefined) await print(terminal.out, redact(text));
  else await writeText(output, text);
}
