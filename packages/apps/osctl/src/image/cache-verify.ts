import { printFound, readFormat, Table, type Terminal, UsageError } from '@nodecore/cli';
import { type CacheFinding, cacheFindings } from '@nodecore/clusters/image-cache';

import { damagedCache } from '../outcome.ts';
import { isCache } from './cache-place.ts';

/** Says what of a cache is not as it must be. @throws {OutcomeError} `ERR_CACHE_DAMAGED` when there is anything. */
export async function verifyCache(
  cache: string,
  { output }: { readonly output: string },
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(output);
  if (!(await isCache(cache))) throw new UsageError(`${cache} is no image cache: it has no manifests`);
  const found: CacheFinding[] = [];
  for await (const finding of cacheFindings(cache, terminal.signal)) found.push(finding);
  await printFound(terminal, format, found, {
    single: false,
    text: () =>
      found.length === 0
        ? ''
        : new Table(['path', 'problem']).format(found.map(({ path, problem }) => [path, problem])),
  });
  if (found.length > 0) throw damagedCache(cache, found.length);
}
