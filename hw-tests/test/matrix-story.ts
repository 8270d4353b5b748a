import type { ExecutionContext } from 'ava';

import type { DebianRelease } from '../src/index.ts';
import type { Cell } from './matrix-cells.ts';
import { MatrixNode } from './matrix-node.ts';
import { stopwatch } from './stopwatch.ts';

/** The life of volumes on one node: made, found again on disks that have grown, grown in use, given up. */
export async function matrixStory(
  t: ExecutionContext,
  cells: readonly Cell[],
  kernel?: DebianRelease,
): Promise<void> {
  const took = stopwatch(t);
  const node = await MatrixNode.boot(t, cells, kernel);
  took('booted');
  const volumes = await node.provision();
  took(`${cells.length} volumes made`);
  const found = await node.rebootWithLargerDisks(volumes);
  took('found again');
  await node.growLive();
  took('grown in use');
  await node.tearDown(found);
  took('given up');
}
