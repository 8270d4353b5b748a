import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';

import { kernelArgument } from '@nodecore/config/kernel-arguments';
import { decode, parse, patchConfiguration } from '@nodecore/config';
import { codeOf } from '@nodecore/sys';

import { kernelArguments } from '../image/kernel-arguments.ts';
import type { ImagePaths } from '../image/paths.ts';
import type { Log } from '../log.ts';

/** As much as a call may bring. */
export const longestBytes: number = 2 << 20;

/** A place that a configuration comes from before anybody has brought one. */
export type Source = { readonly name: string; readonly read: () => Promise<string | undefined> };

/** What the platform of the machine says; a failure is one for now. */
export type PlatformSource = () => Promise<string | undefined>;

/** Where a configuration comes from before STATE has one, in the order in which later ones are merged into earlier ones. */
export function imageSources(
  { embeddedConfiguration, kernelCommandLine }: ImagePaths,
  platform: PlatformSource,
): readonly Source[] {
  const argument = (name: ArgumentName): Source => ({
    name,
    read: async () => argumentText(await readFile(kernelCommandLine, 'utf8'), name),
  });
  return [
    { name: embeddedConfiguration, read: () => readEmbedded(embeddedConfiguration) },
    argument(kernelArgument.configEarly),
    { name: kernelArgument.config, read: platform },
    argument(kernelArgument.configInline),
  ];
}

/**
 * What the sources say together, the later ones as patches of the earlier ones. One that can't be read or merged is left out, and
 * the log says which and why: a boot medium with a mistake must not keep a node from maintenance.
 *
 * @returns undefined when none says anything.
 */
export async function mergedSources(sources: readonly Source[], log: Log): Promise<string | undefined> {
  let text: string | undefined;
  for (const { name, read } of sources) {
    try {
      const next = await read();
      if (next !== undefined) text = mergedText(text, next, name);
    } catch (error) {
      // No values: a problem of a configuration names places only.
      log.error({ source: name, code: codeOf(error) }, `a configuration is left out: ${messageOf(error)}`);
    }
  }
  return text;
}

/** @throws {ConfigError} when the two do not go together, or the second is no configuration at all. */
export function mergedText(before: string | undefined, next: string, file?: string): string {
  const named = file === undefined ? {} : { file };
  if (before !== undefined)
    return patchConfiguration(before, [{ text: next, ...named }], { mayChooseDisk: true });
  parse(next, named)[Symbol.dispose]();
  return next;
}

/** Whether a text is all that a node needs to begin. */
export function isComplete(text: string): boolean {
  try {
    using configuration = parse(text);
    return configuration.machine !== undefined;
  } catch {
    return false; // the error of applying it says why
  }
}

async function readEmbedded(path: string): Promise<string | undefined> {
  try {
    return decode(await readFile(path), { file: path });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Arguments of the kernel that are a whole configuration: base64 of zstd. */
export type ArgumentName = typeof kernelArgument.configEarly | typeof kernelArgument.configInline;

/** The configuration in an argument of a command line. @throws when it is no base64 of zstd. */
export async function argumentText(line: string, name: ArgumentName): Promise<string | undefined> {
  const value = kernelArguments(line).get(name);
  if (value === undefined || value === '') return undefined;
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/u.test(value)) throw new TypeError(`${name} is no base64`);
  const packed = Buffer.from(value, 'base64');
  const bytes = await promisify(zstdDecompress)(packed, { maxOutputLength: longestBytes });
  return decode(bytes, { file: name });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
