import type { MemoryValue } from '../../gen/nodecore-v1.js';

/** What free(1) makes of `/proc/meminfo`, in bytes; what this kernel does not say is absent. */
export type MemoryUse = {
  readonly totalBytes?: bigint;
  readonly usedBytes?: bigint;
  readonly freeBytes?: bigint;
  readonly sharedBytes?: bigint;
  readonly buffersBytes?: bigint;
  readonly cacheBytes?: bigint;
  readonly availableBytes?: bigint;
  readonly swapTotalBytes?: bigint;
  readonly swapUsedBytes?: bigint;
  readonly swapFreeBytes?: bigint;
};

/** Used is what programs could not get; of what the kernel keeps for itself, the cache has what it can give back. */
export function useOf(values: readonly MemoryValue[]): MemoryUse {
  const known = new Map(
    values.map(({ name, value, unit }) => [name, unit === 'kB' ? value * 1024n : value] as const),
  );
  const total = known.get('MemTotal');
  const free = known.get('MemFree');
  const available = known.get('MemAvailable');
  const cached = known.get('Cached');
  const swapTotal = known.get('SwapTotal');
  const swapFree = known.get('SwapFree');
  const all = {
    totalBytes: total,
    usedBytes: minus(total, available ?? free),
    freeBytes: free,
    sharedBytes: known.get('Shmem'),
    buffersBytes: known.get('Buffers'),
    cacheBytes: cached === undefined ? undefined : cached + (known.get('SReclaimable') ?? 0n),
    availableBytes: available,
    swapTotalBytes: swapTotal,
    swapUsedBytes: minus(swapTotal, swapFree),
    swapFreeBytes: swapFree,
  };
  return Object.fromEntries(Object.entries(all).filter(([, bytes]) => bytes !== undefined)) as MemoryUse;
}

/** The kernel sums up while it answers: a container may have more free than it is said to have. */
function minus(whole: bigint | undefined, part: bigint | undefined): bigint | undefined {
  if (whole === undefined || part === undefined) return undefined;
  return whole < part ? 0n : whole - part;
}
