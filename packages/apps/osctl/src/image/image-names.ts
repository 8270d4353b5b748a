import { text } from 'node:stream/consumers';

import { type Terminal, UsageError } from '@nodecore/cli';
import { parseImageName, type Platform, type Reference } from '@nodecore/clusters/image-cache';

/** The images of `--images`; `-` stands for those of standard input, one in a line. @throws {OciError} `ERR_OCI_REFERENCE` */
export async function imageNames(
  given: readonly string[],
  { input }: Pick<Terminal, 'input'>,
): Promise<readonly Reference[]> {
  const lines = given.includes('-') ? (await text(input)).split('\n') : [];
  const names = [...given.filter((name) => name !== '-'), ...lines.map((line) => line.trim())];
  const unique = [...new Set(names)].filter((name) => name !== '' && !name.startsWith('#'));
  if (unique.length === 0) throw new UsageError('--images names no image');
  return unique.map(parseImageName);
}

/** `linux/amd64`, `linux/arm/v7`, or `all` of them. */
export function parsePlatforms(given: readonly string[]): readonly Platform[] | 'all' {
  if (given.length === 1 && given[0] === 'all') return 'all';
  return given.map((name) => {
    const [, os, architecture, variant] = /^([a-z0-9]+)\/([a-z0-9]+)(?:\/([a-z0-9]+))?$/u.exec(name) ?? [];
    if (os === undefined || architecture === undefined)
      throw new UsageError(`--platform ${name} is none: give one as linux/amd64, or all alone`);
    return { os, architecture, ...(variant !== undefined && { variant }) };
  });
}
