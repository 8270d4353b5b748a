import { readNamed, type Terminal, UsageError } from '@nodecore/cli';
import { decode, patchConfiguration } from '@nodecore/config';
import { buffer } from 'node:stream/consumers';
import { checkPatched } from './check-patched.ts';
import { readPatches } from './read-patches.ts';

const advice = 'give the configuration with -f <file>, or -f - for standard input';

/**
 * The bytes of a configuration, patched, that has no problem this client can find.
 *
 * @throws {ConfigError} with every problem and its place; {UsageError} when there is no such file or nothing in it.
 */
export async function readConfiguration(
  file: string,
  patches: readonly string[],
  terminal: Terminal,
  isVerbose = false,
): Promise<Buffer> {
  const data = file === '-' ? await buffer(terminal.input) : await readNamed(file, '-f', advice);
  const name = file === '-' ? 'standard input' : file;
  if (data.length === 0) throw new UsageError(`${name} is empty: no configuration to apply`);
  const place = file === '-' ? '<stdin>' : file;
  const text = decode(data, { file: place });
  const changed = patchConfiguration(text, await readPatches(patches, '-p'), { file: place });
  const result = changed === text ? place : patchedName(place);
  checkPatched(changed, result, terminal, isVerbose);
  return Buffer.from(changed);
}

/** Lines are counted in the patched text, which is in no file. */
export function patchedName(file: string): string {
  return `${file} (patched)`;
}
