import { compileSchema, type Schema, type SchemaColumn } from './schema.ts';
import type { ColumnSource, SourceUnit } from './source.ts';

/** The tables that `osctl cgroups --preset` offers. */
export const presetNames = ['cpu', 'cpuset', 'io', 'memory', 'process', 'psi', 'swap'] as const;
export type PresetName = (typeof presetNames)[number];

type Where = Omit<ColumnSource, 'key' | 'file' | 'unit'>;

const source = (key: string, file: string, unit: SourceUnit, where: Where = {}): ColumnSource => ({
  key,
  file,
  unit,
  ...where,
});

const cpuStat = (key: string, line: string): ColumnSource =>
  source(key, 'cpu.stat', 'microseconds', { line, counter: true });

const average = (key: string, resource: string, kind: string, part: string): ColumnSource =>
  source(key, `${resource}.pressure`, 'percent', { line: kind, part });

const device = (key: string, part: string, unit: SourceUnit): ColumnSource =>
  source(key, 'io.stat', unit, { part, counter: true, perDevice: true });

/** A single value in its own width. */
function value(name: string, field: string, width: number, from: ColumnSource): SchemaColumn {
  return { name, template: `{{ printf "%${width}s" .${field} }}`, sources: [from] };
}

function bytes(name: string, field: string, file: string, key: string): SchemaColumn {
  return {
    name,
    template: `{{ printf "%8s" .${field}.HumanizeIBytes }}`,
    sources: [source(key, file, 'bytes')],
  };
}

/** One value as percent of another of the same cgroup. */
function share(name: string, field: string, other: string, files: readonly [string, string]): SchemaColumn {
  const keys = files.map((file) => source(`${camel(file)}Bytes`, file, 'bytes'));
  return { name, template: `{{ printf "%6s" (.${field}.DivideBy .${other}) }}%`, sources: keys };
}

function duration(name: string, line: string, key: string): SchemaColumn {
  return {
    name,
    template: `{{ printf "%12s" .CPUStat.${line}.UsecToDuration }}`,
    sources: [cpuStat(key, line)],
  };
}

function shareOfParent(name: string, line: string, key: string): SchemaColumn {
  const ours = `.CPUStat.${line}.DivideBy .Parent.CPUStat.${line}`;
  return {
    name,
    template: `{{ if .Parent }}{{ printf "%6s" (${ours}) }}{{ else }}{{ printf "%6s" "-" }}{{ end }}`,
    sources: [cpuStat(key, line)],
  };
}

/** Two counters of every device that has them. */
function devices(
  name: string,
  parts: readonly [string, string],
  shown: string,
  from: readonly ColumnSource[],
): SchemaColumn {
  const [read, written] = parts.map((part) => `(index $stat "${part}")${shown}`);
  return {
    name,
    template: `{{ range $device, $stat := .IOStat }}{{ if $stat }}{{ $device }}: {{ ${read} }}/{{ ${written} }} {{ end }}{{ end }}`,
    sources: from,
  };
}

function camel(file: string): string {
  return file.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());
}

function averageOf(name: string, field: string, resource: string, kind: string, part: string): SchemaColumn {
  const key = camel(`${resource}.${kind}.${part}`);
  return {
    name,
    template: `{{ printf "%6s" .${field}.${kind}.${part} }}`,
    sources: [average(key, resource, kind, part)],
  };
}

const text = (name: string, field: string, file: string): SchemaColumn => ({
  name,
  template: `{{ printf "%12s" .${field} }}`,
  sources: [source(camel(file), file, 'text')],
});

/** The columns of every preset: text as templates, and the numbers behind it. */
export const presets: Readonly<Record<PresetName, readonly SchemaColumn[]>> = {
  cpu: [
    value('CpuWeight', 'CPUWeight', 6, source('cpuWeight', 'cpu.weight', 'count')),
    value('CpuNice', 'CPUWeightNice', 6, source('cpuWeightNice', 'cpu.weight.nice', 'count')),
    {
      name: 'CpuMax',
      template: '{{ printf "%6s" .CPUMax }}',
      sources: [
        source('cpuMaxQuotaUs', 'cpu.max', 'microseconds', { part: '0' }),
        source('cpuMaxPeriodUs', 'cpu.max', 'microseconds', { part: '1' }),
      ],
    },
    duration('CpuUser', 'user_usec', 'cpuUserUs'),
    shareOfParent('User/%', 'user_usec', 'cpuUserUs'),
    duration('CpuSystem', 'system_usec', 'cpuSystemUs'),
    shareOfParent('System/%', 'system_usec', 'cpuSystemUs'),
    duration('Throttled', 'throttled_usec', 'cpuThrottledUs'),
  ],
  cpuset: [
    text('CpuSet', 'CPUSetCPUs', 'cpuset.cpus'),
    text('CpuSet(Eff)', 'CPUSetCPUsEffective', 'cpuset.cpus.effective'),
    text('Mems', 'CPUSetMems', 'cpuset.mems'),
    text('Mems(Eff)', 'CPUSetMemsEffective', 'cpuset.mems.effective'),
  ],
  io: [
    devices('Bytes Read/Written', ['rbytes', 'wbytes'], '.HumanizeIBytes', [
      device('ioReadBytes', 'rbytes', 'bytes'),
      device('ioWrittenBytes', 'wbytes', 'bytes'),
    ]),
    devices('ios Read/Write', ['rios', 'wios'], '', [
      device('ioReads', 'rios', 'count'),
      device('ioWrites', 'wios', 'count'),
    ]),
    averageOf('PressAvg10', 'IOPressure', 'io', 'some', 'avg10'),
    averageOf('PressAvg60', 'IOPressure', 'io', 'some', 'avg60'),
    {
      name: 'PressTotal',
      template: '{{ printf "%12s" .IOPressure.some.total.UsecToDuration }}',
      sources: [
        source('ioSomeTotalUs', 'io.pressure', 'microseconds', {
          line: 'some',
          part: 'total',
          counter: true,
        }),
      ],
    },
  ],
  memory: [
    bytes('MemCurrent', 'MemoryCurrent', 'memory.current', 'memoryCurrentBytes'),
    bytes('MemPeak', 'MemoryPeak', 'memory.peak', 'memoryPeakBytes'),
    bytes('MemLow', 'MemoryLow', 'memory.low', 'memoryLowBytes'),
    share('Peak/Low', 'MemoryPeak', 'MemoryLow', ['memory.peak', 'memory.low']),
    bytes('MemHigh', 'MemoryHigh', 'memory.high', 'memoryHighBytes'),
    bytes('MemMin', 'MemoryMin', 'memory.min', 'memoryMinBytes'),
    share('Current/Min', 'MemoryCurrent', 'MemoryMin', ['memory.current', 'memory.min']),
    bytes('MemMax', 'MemoryMax', 'memory.max', 'memoryMaxBytes'),
  ],
  process: [
    value('PidsCurrent', 'PidsCurrent', 8, source('pidsCurrent', 'pids.current', 'count')),
    value('PidsPeak', 'PidsPeak', 8, source('pidsPeak', 'pids.peak', 'count')),
    value('PidsMax', 'PidsMax', 8, source('pidsMax', 'pids.max', 'count')),
    {
      name: 'Procs',
      template: '{{ printf "%7d" (len .CgroupProcs) }}',
      sources: [source('processes', 'cgroup.procs', 'count', { line: '#' })],
    },
    {
      name: 'Threads',
      template: '{{ printf "%7d" (len .CgroupThreads) }}',
      sources: [source('threads', 'cgroup.threads', 'count', { line: '#' })],
    },
    {
      name: 'Processes',
      template: '{{ if .Parent }}{{ printf "%.50s" (printf "%v" .CgroupProcsResolved) }}{{ end }}',
    },
  ],
  psi: [
    bytes('MemCurrent', 'MemoryCurrent', 'memory.current', 'memoryCurrentBytes'),
    averageOf('MemPsiSome10', 'MemoryPressure', 'memory', 'some', 'avg10'),
    averageOf('MemPsi10', 'MemoryPressure', 'memory', 'full', 'avg10'),
    averageOf('CpuPsi10', 'CPUPressure', 'cpu', 'full', 'avg10'),
    averageOf('IoPsi10', 'IOPressure', 'io', 'full', 'avg10'),
  ],
  swap: [
    bytes('SwapCurrent', 'MemorySwapCurrent', 'memory.swap.current', 'swapCurrentBytes'),
    bytes('SwapPeak', 'MemorySwapPeak', 'memory.swap.peak', 'swapPeakBytes'),
    bytes('SwapHigh', 'MemorySwapHigh', 'memory.swap.high', 'swapHighBytes'),
    bytes('SwapMax', 'MemorySwapMax', 'memory.swap.max', 'swapMaxBytes'),
    bytes('ZswapCurrent', 'MemoryZswapCurrent', 'memory.zswap.current', 'zswapCurrentBytes'),
    bytes('ZswapMax', 'MemoryZswapMax', 'memory.zswap.max', 'zswapMaxBytes'),
    value(
      'ZswapWriteback',
      'MemoryZswapWriteback',
      6,
      source('zswapWriteback', 'memory.zswap.writeback', 'flag'),
    ),
  ],
};

/** Case counts: the names are those of {@link presetNames}. */
export function isPresetName(name: string): name is PresetName {
  return presetNames.some((preset) => preset === name);
}

/** A preset, ready to be filled. */
export function presetSchema(name: PresetName): Schema {
  return compileSchema(presets[name]);
}
