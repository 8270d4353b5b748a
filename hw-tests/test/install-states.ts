import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { construction, partitions, type PartitionTable } from '@nodecore/block';
import { codeOf } from '@nodecore/sys';
import { output } from '@nodecore/testkit';

import { contentOf } from '../../packages/apps/agent/src/installs/disk-content.ts';
import { machineDisks } from '../../packages/apps/agent/src/installs/disks.ts';
import { CrashImages, crashStates, WriteRecord } from '../src/log-writes/index.ts';
import { menuOf } from '../src/power-cut/boot-states.ts';
import { chosenStates } from './chosen-states.ts';
import { type Installed, systemDiskBytes } from './install-story.ts';

/** What a power cut has left of an installation. */
export type CutInstallation = {
  readonly state: string;
  /**
   * `system`: it has META, and is started. `torn`: the cut was in a write of the partition table, whose copies are not both whole, and
   * that nobody takes for empty. Else what the next installation finds.
   */
  readonly found: 'system' | 'torn' | 'empty' | 'begun' | 'occupied';
  /** Hex SHA-256 of each entry that the boot loader would start, by name. */
  readonly menu: ReadonlyMap<string, string>;
};

/**
 * The disk of an installation as power cuts would have left it.
 *
 * @param most so many moments, spread over the installation with a beginning that depends on the seed
 */
export async function* cutInstallations(
  { directory, record: file }: Pick<Installed, 'directory' | 'record'>,
  choice: { readonly most: number; readonly seed: number },
): AsyncGenerator<CutInstallation> {
  const base = join(directory, 'blank.raw');
  await writeFile(base, '');
  await truncate(base, systemDiskBytes);
  await using record = await WriteRecord.open(file, { deviceBytes: systemDiskBytes, mayBeTorn: true });
  const end = await installedAt(record);
  const states = crashStates(record.entries.slice(0, end));
  await using images = await CrashImages.open(record, { base, working: join(directory, 'working.raw') });
  const image = join(directory, 'state.raw');
  for (const state of chosenStates(states, choice)) {
    await images.build(state, image);
    yield { state: state.name, ...(await lookAt(image)) };
  }
}

/** Behind the writes of the installation: what the agent makes later lies behind META. */
async function installedAt({ entries }: WriteRecord): Promise<number> {
  const behind = entries.findIndex(
    ({ offset, length }) => length > 0 && offset > 700 * 2 ** 20 && offset < systemDiskBytes - 2 ** 20,
  );
  return behind === -1 ? entries.length : behind;
}

async function lookAt(image: string): Promise<Omit<CutInstallation, 'state'>> {
  const table = await tableOf(image);
  const isSystem = table?.damage === undefined && table?.partitions.some(({ label }) => label === 'META');
  if (isSystem === true) return { found: 'system', menu: await menuOf(image) };
  const { kind } = await contentOf({ devPath: image }, { ...machineDisks, isMarked: isMarkedIn(image) });
  const isTorn = kind === 'occupied' && (table === undefined || table.damage !== undefined);
  return { found: isTorn ? 'torn' : kind, menu: new Map() };
}

/** A partition of a file has no node: what it holds is copied. */
function isMarkedIn(image: string): (typeof machineDisks)['isMarked'] {
  return async (_disk, { offset }, mark) => {
    const copy = `${image}.partition`;
    const blocks = ['bs=1M', `skip=${offset >> 20n}`, 'count=512', 'conv=sparse'];
    await output(['dd', `if=${image}`, `of=${copy}`, 'status=none', ...blocks]);
    await truncate(copy, 512 * 2 ** 20);
    return await construction.isMarked(copy, mark);
  };
}

async function tableOf(device: string): Promise<PartitionTable | undefined> {
  try {
    return await partitions.read(device);
  } catch (error) {
    if (codeOf(error) === 'ERR_BLOCK_FOREIGN_TABLE') return undefined;
    throw error;
  }
}
