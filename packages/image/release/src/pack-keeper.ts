/** `npm run build:keeper`, of `scripts/setup`: the keeper of local clusters as one file, for osctl of this checkout. */
import { join } from 'node:path';

import { packProgram } from '@nodecore/sys/packed-program';

import { bundleKeeper } from './keeper-bundle.ts';
import { cacheDirectory } from './paths.ts';

const begunMs = Date.now();
const { code, sources } = await bundleKeeper();
if (!(await packProgram(join(cacheDirectory, 'cluster-keeper'), { code, sources, begunMs })))
  console.log(
    'a source was written meanwhile: keepers run from their sources until scripts/setup runs again',
  );
