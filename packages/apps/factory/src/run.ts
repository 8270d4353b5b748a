import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { parseRelease, type Release, releaseFileName } from '@nodecore/schematic/release';
import { codeOf } from '@nodecore/sys';

import { main } from './main.ts';

// `npm run factory`: the program on the release of this checkout, which is built when it is not there with all extensions.
const cache = fileURLToPath(new URL('../../../../.cache', import.meta.url));
const releases = join(cache, 'releases');
const { buildRelease, defaultVersion, recipes } = await import('@nodecore/release');
const names = Object.keys(recipes);
const there = await releaseAt(join(releases, defaultVersion, releaseFileName));
const offered = there?.architectures.amd64?.extensions ?? {};
if (!names.every((name) => name in offered))
  await buildRelease({
    version: defaultVersion,
    recipes: names,
    onStep: (step) => void process.stdout.write(`release: ${step}\n`),
  });
process.exitCode = await main([
  'serve',
  '--releases',
  releases,
  '--storage',
  join(cache, 'factory'),
  ...process.argv.slice(2),
]);

async function releaseAt(path: string): Promise<Release | undefined> {
  try {
    return parseRelease(await readFile(path, 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
