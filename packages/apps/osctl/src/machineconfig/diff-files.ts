import { print, printable, printFound, readFormat, type Terminal, UsageError } from '@nodecore/cli';
import { type Difference, differences, parse, patchBetween } from '@nodecore/config';

import { readText } from '../configuration/read-text.ts';
import { writeText } from '../configuration/write-text.ts';
import { different } from '../outcome.ts';

export type DiffRequest = {
  /** Path, or `-` for standard input. */
  readonly before: string;
  readonly after: string;
  readonly output: string;
  /** Gets the patch, secrets included. */
  readonly patchFile?: string;
  readonly exitCode?: boolean;
};

/**
 * Prints what is different between two configurations, or the patch that makes the one of the other. Secrets are hidden, but in
 * a file.
 *
 * @throws {ConfigError} when one of them is not valid; {OutcomeError} `ERR_DIFFERENT` when the exit code is to say that they differ.
 */
export async function diffFiles(request: DiffRequest, terminal: Terminal): Promise<void> {
  const { output } = request;
  if (request.before === '-' && request.after === '-')
    throw new UsageError('standard input holds one configuration: name a file for the other');
  const isPatch = output === 'patch';
  const format = isPatch ? undefined : await readFormat(output, ['patch']);
  const before = await readText(request.before, '<before>', terminal);
  const after = await readText(request.after, '<after>', terminal);
  for (const { text, place } of [before, after]) parse(text, { file: place })[Symbol.dispose]();
  const found = differences(before.text, after.text);
  if (request.patchFile !== undefined)
    await writeText(request.patchFile, patchBetween(before.text, after.text));
  if (format === undefined)
    await print(terminal.out, patchBetween(before.text, after.text, { hidden: true }));
  else await printFound(terminal, format, found, { single: false, text: () => found.map(lineOf).join('') });
  if (request.exitCode === true && found.length > 0) throw different(found.length);
}

const signs = { added: '+', removed: '-', changed: '~' } as const;

/** `~ UserVolumeConfig/data provisioning.maxSize: "50GiB" -> "80GiB"` */
function lineOf({ document, path, change, before, after }: Difference): string {
  const place = path === '' ? document : `${document} ${path}`;
  const values = [before, after].filter((value) => value !== undefined).join(' -> ');
  return `${printable(`${signs[change]} ${place}${values === '' ? '' : `: ${values}`}`)}\n`;
}
