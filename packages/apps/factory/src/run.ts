import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { releaseFileName } from '@nodecore/schematic/release';

import { main } from './main.ts';

// `npm run factory`: the program on the release of this checkout, which is built when it is not there.
const cache = fileURLToPath(new URL('../../../../.cache', import.meta.url));
const releases = join(cache, 'releases');
const { buildRelease, defaultVersion } = await import('@nodecore/release');
if (!existsSync(join(releases, defaultVersion, releaseFileName)))
  await buildRelease({
    version: defaultVersion,
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
