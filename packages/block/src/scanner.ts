import { CodedError, codeOf } from '@nodecore/sys';

import { forEachConcurrently } from './concurrency.ts';
import { type Content, diskVolume, partitionVolume } from './discovered-volume.ts';
import { type DiskFacts, diskIds, readDiskFacts } from './disk-facts.ts';
import { diskSymlinks } from './disk-symlinks.ts';
import type { DiscoveredVolume, Disk, Inventory } from './inventory.ts';
import { type KernelPartition, kernelPartitions } from './kernel-partition.ts';
import { probe } from './probe.ts';
import { Sysfs } from './sysfs.ts';

export type ScanOptions = { readonly signal?: AbortSignal; readonly deadlineMs?: number };

type Found = { readonly disk: Disk; readonly volumes: readonly DiscoveredVolume[] };

/** Lists disks and what is on them. */
export async function list(options: ScanOptions = {}): Promise<Inventory> {
  const sysfs = new Sysfs();
  const { signal } = options;
  const symlinks = await diskSymlinks();
  const found: Found[] = [];
  await forEachConcurrently(diskIds(sysfs), 2, async (id) => {
    const facts = readDiskFacts(sysfs, id);
    found.push(await scanDisk(sysfs, facts, symlinks.get(id) ?? [], signal));
  });
  return {
    disks: found.map(({ disk }) => disk).sort(byId),
    volumes: found.flatMap(({ volumes }) => volumes).sort(byId),
  };
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : Number(one.id > other.id);
}

async function scanDisk(
  sysfs: Sysfs,
  facts: DiskFacts,
  symlinks: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Found> {
  const whole = await content(facts.devPath, signal);
  const entries = whole.judgement?.tableEntries ?? [];
  const place = {
    devicePath: sysfs.resolve('block', facts.id) ?? '',
    holders: sysfs.entries('block', facts.id, 'holders'),
  };
  const volumes = [diskVolume(facts, whole, place)];
  for (const partition of kernelPartitions(sysfs, facts.id)) {
    volumes.push(await scanPartition(facts, partition, entries, signal));
  }
  const { error } = whole;
  return { disk: { ...facts, symlinks, ...(error === undefined ? {} : { error }) }, volumes };
}

async function scanPartition(
  disk: DiskFacts,
  partition: KernelPartition,
  entries: Parameters<typeof partitionVolume>[3],
  signal: AbortSignal | undefined,
): Promise<DiscoveredVolume> {
  const found = await content(partition.devPath, signal);
  return partitionVolume(disk, partition, found, entries);
}

async function content(path: string, signal: AbortSignal | undefined): Promise<Content> {
  try {
    return { judgement: await probe(path, signal === undefined ? {} : { signal }) };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof CodedError)) throw error;
    return { error: codeOf(error) === undefined ? String(error) : error.message };
  }
}
