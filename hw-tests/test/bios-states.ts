import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { partitions } from '@nodecore/block';

import { eachBootState } from '../src/power-cut/boot-states.ts';
import { grubMenuOf } from '../src/power-cut/grub-menu.ts';
import { RecordFollower } from '../src/power-cut/record-follower.ts';
import { biosDiskBytes, type BiosNode } from './bios-node.ts';
import { chosenStates } from './chosen-states.ts';

/** How much a node has written in the boot that runs. */
export async function writtenBy({ record }: BiosNode): Promise<number> {
  await using follower = await RecordFollower.open(record, biosDiskBytes);
  return (await follower.read()).length;
}

/**
 * What GRUB would start after a power cut in the recorded boot.
 *
 * @param choice so many moments, spread over what was written from a place on with a beginning that depends on the seed
 * @returns how many were looked at
 */
export async function cutUpgrade(
  { kept }: BiosNode,
  { from, ...choice }: { readonly from: number; readonly most: number; readonly seed: number },
  look: (menu: ReadonlyMap<string, string>, state: string) => void,
): Promise<number> {
  const table = await partitions.read(kept.base);
  const boot = table?.partitions.find(({ label }) => label === 'BOOT');
  if (boot === undefined) throw new Error(`${kept.base} has no BOOT`);
  const work = join(dirname(kept.base), 'states');
  await mkdir(work);
  return await eachBootState(
    {
      ...kept,
      deviceBytes: biosDiskBytes,
      endBytes: Number(boot.offset + boot.size),
      from,
      work,
      readMenu: grubMenuOf,
    },
    (states) => chosenStates(states, choice),
    (menu, { name }) => look(menu, name),
  );
}
