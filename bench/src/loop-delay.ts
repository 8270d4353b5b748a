import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The 99th percentile of the loop's delay while something goes on, beyond the monitor's own resolution. */
export async function loopDelayMs(work: () => Promise<unknown>): Promise<number> {
  const resolution = 1;
  const monitor = monitorEventLoopDelay({ resolution });
  monitor.enable();
  await work();
  monitor.disable();
  return monitor.percentile(99) / 1e6 - resolution;
}
