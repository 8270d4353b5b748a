import type { CpuTimes, DiskCounters, NetworkDeviceCounters } from '../../gen/nodecore-v1.js';

/** Percent of the time of processors between two readings; undefined where no time went by, or counters began anew. */
export function cpuPercent(before: CpuTimes | undefined, after: CpuTimes | undefined): number | undefined {
  if (before === undefined || after === undefined) return undefined;
  // Guests are part of user and nice already.
  const whole = (times: CpuTimes): number => idle(times) + busy(times);
  const time = whole(after) - whole(before);
  const used = busy(after) - busy(before);
  // The kernel may take back a little of iowait.
  return time > 0 && used >= 0 ? Math.min(100, (used / time) * 100) : undefined;
}

function idle(times: CpuTimes): number {
  return times.idle + times.iowait;
}

function busy({ user, nice, system, irq, softIrq, steal }: CpuTimes): number {
  return user + nice + system + irq + softIrq + steal;
}

/** Per second; undefined without a reading before, or where the counter began anew. */
export function perSecond(
  before: bigint | undefined,
  after: bigint | undefined,
  elapsedMs: number,
): number | undefined {
  if (before === undefined || after === undefined || elapsedMs <= 0 || after < before) return undefined;
  return (Number(after - before) / elapsedMs) * 1000;
}

/** Bytes in each direction. */
export type Transfer = { readonly into: bigint; readonly out: bigint };

/** What an interface received and sent. */
export function transferOfInterface({ receivedBytes, sentBytes }: NetworkDeviceCounters): Transfer {
  return { into: receivedBytes, out: sentBytes };
}

/** What was read of a disk and written on it; the kernel counts in units of 512 bytes, whatever the disk has. */
export function transferOfDisk({ sectorsRead, sectorsWritten }: DiskCounters): Transfer {
  return { into: sectorsRead * 512n, out: sectorsWritten * 512n };
}
