/** How the text of a field's file becomes its value in a template. */
export type FieldShape =
  | 'value' // the first line as a value; unset when absent
  | 'lines' // a list of values, one per line
  | 'words' // a list of values of the first line
  | 'flat' // a map from key to value
  | 'nested' // a map from key to a map from name to value
  | 'text'; // the first line as it is

export type Field = { readonly file: string; readonly shape: FieldShape };

const field = (file: string, shape: FieldShape): Field => ({ file, shape });

/** The fields of a cgroup in a template. Those of existing schema files, and some more. */
export const fields: Readonly<Record<string, Field>> = {
  CgroupControllers: field('cgroup.controllers', 'text'),
  CgroupEvents: field('cgroup.events', 'flat'),
  CgroupFreeze: field('cgroup.freeze', 'value'),
  CgroupProcs: field('cgroup.procs', 'lines'),
  CgroupStat: field('cgroup.stat', 'flat'),
  CgroupThreads: field('cgroup.threads', 'lines'),
  CgroupType: field('cgroup.type', 'text'),
  CPUIdle: field('cpu.idle', 'value'),
  CPUMax: field('cpu.max', 'words'),
  CPUMaxBurst: field('cpu.max.burst', 'value'),
  CPUPressure: field('cpu.pressure', 'nested'),
  CPUSetCPUs: field('cpuset.cpus', 'text'),
  CPUSetCPUsEffective: field('cpuset.cpus.effective', 'text'),
  CPUSetMems: field('cpuset.mems', 'text'),
  CPUSetMemsEffective: field('cpuset.mems.effective', 'text'),
  CPUStat: field('cpu.stat', 'flat'),
  CPUStatLocal: field('cpu.stat.local', 'flat'),
  CPUWeight: field('cpu.weight', 'value'),
  CPUWeightNice: field('cpu.weight.nice', 'value'),
  IOBFQWeight: field('io.bfq.weight', 'flat'),
  IOLatency: field('io.latency', 'nested'),
  IOMax: field('io.max', 'nested'),
  IOPressure: field('io.pressure', 'nested'),
  IOStat: field('io.stat', 'nested'),
  IOWeight: field('io.weight', 'flat'),
  IRQPressure: field('irq.pressure', 'nested'),
  MemoryCurrent: field('memory.current', 'value'),
  MemoryEvents: field('memory.events', 'flat'),
  MemoryEventsLocal: field('memory.events.local', 'flat'),
  MemoryHigh: field('memory.high', 'value'),
  MemoryLow: field('memory.low', 'value'),
  MemoryMax: field('memory.max', 'value'),
  MemoryMin: field('memory.min', 'value'),
  MemoryNUMAStat: field('memory.numa_stat', 'nested'),
  MemoryOOMGroup: field('memory.oom.group', 'value'),
  MemoryPeak: field('memory.peak', 'value'),
  MemoryPressure: field('memory.pressure', 'nested'),
  MemoryStat: field('memory.stat', 'flat'),
  MemorySwapCurrent: field('memory.swap.current', 'value'),
  MemorySwapEvents: field('memory.swap.events', 'flat'),
  MemorySwapHigh: field('memory.swap.high', 'value'),
  MemorySwapMax: field('memory.swap.max', 'value'),
  MemorySwapPeak: field('memory.swap.peak', 'value'),
  MemoryZswapCurrent: field('memory.zswap.current', 'value'),
  MemoryZswapMax: field('memory.zswap.max', 'value'),
  MemoryZswapWriteback: field('memory.zswap.writeback', 'value'),
  PidsCurrent: field('pids.current', 'value'),
  PidsEvents: field('pids.events', 'flat'),
  PidsMax: field('pids.max', 'value'),
  PidsPeak: field('pids.peak', 'value'),
};

/** Fields that come from elsewhere than one file. */
export const specialFields: readonly string[] = ['CgroupProcsResolved', 'Children', 'Parent'];
