import { freemem, totalmem } from 'node:os';

import type { ClusterRequest } from './request.ts';

const mib = 2 ** 20;
/** Of what is free; the rest is what QEMU itself and this computer take. */
const share = 0.9;

/** The memory of this computer, or what the cgroup of this process may have of it. */
export type HostMemory = { readonly totalBytes: number; readonly freeBytes: number };

export function hostMemory(): HostMemory {
  const limit = process.constrainedMemory(); // 0: none
  const totalBytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return { totalBytes, freeBytes: Math.min(freemem(), totalBytes) };
}

/** What keeps machines from having the memory that they are to have, in words. */
export function memoryProblems(
  request: ClusterRequest,
  { totalBytes }: HostMemory = hostMemory(),
): readonly string[] {
  const [wanted, there] = [wantedMib(request), Math.floor(totalBytes / mib)];
  if (wanted <= there) return [];
  return [
    `the machines want ${wanted} MiB of memory, and there are ${there}: make them smaller, or give --overcommit`,
  ];
}

/** What is said of machines that may come to want more than is free; undefined: nothing. */
export function memoryNote(
  request: ClusterRequest,
  { freeBytes }: HostMemory = hostMemory(),
): string | undefined {
  const [wanted, free] = [wantedMib(request), Math.floor(freeBytes / mib)];
  if (wanted <= free * share) return undefined;
  return `the machines may take ${wanted} MiB of memory, and ${free} are free now: this computer may become slow, or end some of them`;
}

function wantedMib({ machines, controlplanes, workers }: ClusterRequest): number {
  return controlplanes * machines.controlplane.memoryMib + workers * machines.worker.memoryMib;
}
