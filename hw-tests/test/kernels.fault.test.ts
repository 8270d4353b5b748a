import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import test from 'ava';

import { ownRelease } from '../src/kernel.ts';
import { debianReleases } from '../src/rig-spec.ts';
import { checkout } from '../src/paths.ts';
import { kernelCells } from './matrix-cells.ts';
import { matrixStory } from './matrix-story.ts';

/* The life of volumes on the kernels of other releases of Debian. Each takes minutes: it belongs to the long campaign. */
const campaign = process.env['FAULT_CAMPAIGN'] === 'long' ? test.serial : test.serial.skip;

test.before('kernels that are not here yet are fetched', async (t) => {
  if (process.env['FAULT_CAMPAIGN'] !== 'long') return;
  t.timeout(600_000);
  await promisify(execFile)(join(checkout, 'scripts', 'setup'), ['--kernels']);
});

for (const release of debianReleases.filter((name) => name !== ownRelease())) {
  campaign(`with the kernel of ${release} volumes are made, found again, grown and given up`, async (t) => {
    t.timeout(900_000);
    await matrixStory(t, kernelCells, release);
  });
}
