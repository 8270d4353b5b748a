/** What a processor, or all of them, spent its time on since the boot, in seconds. */
export type CpuTimes = { readonly name: string } & Readonly<Record<CpuState, number>>;

const states = [
  'user',
  'nice',
  'system',
  'idle',
  'iowait',
  'irq',
  'softIrq',
  'steal',
  'guest',
  'guestNice',
] as const;
export type CpuState = (typeof states)[number];

/** Since the boot. */
export type SystemCounters = {
  readonly bootTimeSeconds: bigint;
  /** `cpu` of all, then each. */
  readonly processors: readonly CpuTimes[];
  readonly interrupts: bigint;
  readonly softInterrupts: bigint;
  readonly softInterruptsByKind: readonly { readonly kind: string; readonly count: bigint }[];
  readonly contextSwitches: bigint;
  readonly processesCreated: bigint;
  readonly processesRunning: bigint;
  readonly processesBlocked: bigint;
};

/** The kernel counts in hundredths of a second for programs, whatever its own clock does (time(7), USER_HZ). */
const ticksPerSecond = 100;

/** In the order of the kernel since 2.6 (include/linux/interrupt.h). */
const kinds = 'HI TIMER NET_TX NET_RX BLOCK IRQ_POLL TASKLET SCHED HRTIMER RCU'.split(' ');

/** `/proc/stat` (proc_stat(5)). */
export function parseSystemCounters(text: string): SystemCounters {
  const lines = new Map(
    text.split('\n').map((line) => {
      const [name = '', ...rest] = line.trim().split(/\s+/u);
      return [name, rest] as const;
    }),
  );
  const count = (name: string, index = 0): bigint => BigInt(lines.get(name)?.[index] ?? 0);
  return {
    bootTimeSeconds: count('btime'),
    processors: [...lines]
      .filter(([name]) => /^cpu\d*$/u.test(name))
      .map(([name, ticks]) => timesOf(name, ticks)),
    interrupts: count('intr'),
    softInterrupts: count('softirq'),
    softInterruptsByKind: kinds.flatMap((kind, index) =>
      lines.get('softirq')?.[index + 1] === undefined ? [] : [{ kind, count: count('softirq', index + 1) }],
    ),
    contextSwitches: count('ctxt'),
    processesCreated: count('processes'),
    processesRunning: count('procs_running'),
    processesBlocked: count('procs_blocked'),
  };
}

function timesOf(name: string, ticks: readonly string[]): CpuTimes {
  const times = states.map((state, index) => [state, Number(ticks[index] ?? 0) / ticksPerSecond] as const);
  return { name, ...(Object.fromEntries(times) as Record<CpuState, number>) };
}
