import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { StatServiceHandlers, SystemStatResponseInit } from '@nodecore/api/stat';
import {
  type DiskCounters,
  parseDiskCounters,
  parseInterfaceCounters,
  parseLoadAverage,
  parseMemoryValues,
  parseProcessors,
  parseSystemCounters,
  processorFrequencies,
  sumOfDisks,
  sumOfInterfaces,
} from '@nodecore/host';

import { type HandlerOptions, unary } from '../server/handlers.ts';

/** Where a kernel says what it counts; other directories in tests. */
export type StatPlaces = {
  readonly proc?: string;
  readonly sys?: string;
};

/** The counters of the kernel for callers. Each file is made as it is read: what stands in it belongs together. */
export function statHandlers(
  { proc = '/proc', sys = '/sys' }: StatPlaces,
  options: HandlerOptions,
): StatServiceHandlers {
  const read = (file: string): Promise<string> => readFile(join(proc, file), 'utf8');
  return {
    memory: unary(options, async () => ({ values: [...parseMemoryValues(await read('meminfo'))] })),
    systemStat: unary(options, async (): Promise<SystemStatResponseInit> => {
      const { processors, softInterruptsByKind, ...counts } = parseSystemCounters(await read('stat'));
      const [total, ...each] = processors;
      return { ...counts, total, processors: each, softInterruptsByKind: [...softInterruptsByKind] };
    }),
    loadAvg: unary(options, async () => parseLoadAverage(await read('loadavg')) ?? {}),
    cpuInfo: unary(options, async () => ({ processors: [...parseProcessors(await read('cpuinfo'))] })),
    cpuFreqStats: unary(options, async () => ({
      processors: [...(await processorFrequencies(join(sys, 'devices/system/cpu')))],
    })),
    diskStats: unary(options, async () => {
      const devices = parseDiskCounters(await read('diskstats'));
      return { total: sumOfDisks(await own(devices, join(sys, 'block'))), devices: [...devices] };
    }),
    networkDeviceStats: unary(options, async () => {
      const devices = parseInterfaceCounters(await read('net/dev'));
      return { total: sumOfInterfaces(devices.filter(({ name }) => name !== 'lo')), devices: [...devices] };
    }),
  };
}

/** Those that are no part of a device and not made of others: what goes through a mapping is counted below it, too. */
async function own(devices: readonly DiskCounters[], block: string): Promise<readonly DiskCounters[]> {
  const whole = new Set(await readdir(block));
  const made = await Promise.all(
    [...whole].map(async (name) => {
      const below = await readdir(join(block, name, 'slaves')).catch(() => []); // it has gone meanwhile
      const isMade = below.length > 0 || /^(?:loop|zram|ram)\d/u.test(name);
      return isMade ? [name] : [];
    }),
  );
  const left = new Set(made.flat());
  // sysfs has `!` where a name has a slash.
  return devices.filter(({ name }) => whole.has(name.replaceAll('/', '!')) && !left.has(name));
}
