import { readFile } from 'node:fs/promises';

import { type DebianPackage, readDpkgStatus } from '@nodecore/sbom';

import { BuildError } from '../errors.ts';
import { run } from '../run.ts';

/**
 * The packages of Debian that files of this machine are of, each once.
 *
 * @throws {BuildError} `ERR_BUILD_CONTENT` with the files that no package has.
 */
export async function ownersOf(files: readonly string[]): Promise<readonly DebianPackage[]> {
  if (files.length === 0) return [];
  const asked = new Map(files.flatMap((file) => namesOf(file).map((name) => [name, file] as const)));
  // It ends with 1 when one of them is of no package, and has said all others.
  const script = 'dpkg-query --search "$@" 2>/dev/null || [ $? -eq 1 ]';
  const { stdout } = await run('sh', ['-c', script, 'sh', ...asked.keys()]);
  const names = new Set<string>();
  const missing = new Set(files);
  for (const line of stdout.split('\n')) {
    const [, packages, path] = /^(?!diversion )(.+?): (\/.*)$/.exec(line) ?? [];
    const file = asked.get(path ?? '');
    if (packages === undefined || file === undefined) continue;
    missing.delete(file);
    for (const name of packages.split(', ')) names.add(name);
  }
  if (missing.size > 0)
    throw new BuildError(
      'ERR_BUILD_CONTENT',
      `of no package of Debian, so that nobody can say what they are: ${[...missing].join(', ')}`,
    );
  const installed = readDpkgStatus(await readFile('/var/lib/dpkg/status', 'utf8'));
  return installed.filter(
    ({ name, architecture }) => names.has(name) || names.has(`${name}:${architecture}`),
  );
}

/** Where `/usr` was merged, lists still have the names that files had before. */
function namesOf(file: string): readonly string[] {
  if (file.startsWith('/usr/')) return [file, file.slice('/usr'.length)];
  return [file, `/usr${file}`];
}
