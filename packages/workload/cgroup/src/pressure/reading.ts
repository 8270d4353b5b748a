/** What stalls: a processor, memory, a device, or interrupts. */
export type PressureResource = 'cpu' | 'memory' | 'io' | 'irq';
export const pressureResources: readonly PressureResource[] = ['cpu', 'memory', 'io', 'irq'];

/** `some`: at least one task waits. `full`: all that could run do. */
export type PressureKind = 'some' | 'full';

/** One line of a pressure file. */
export type PressureLine = {
  /** Percent of the time, over the last 10, 60 and 300 seconds. */
  readonly avg10: number;
  readonly avg60: number;
  readonly avg300: number;
  /** Microseconds since the beginning. */
  readonly totalUs: bigint;
};

/** One pressure file. `irq` has no `some`. */
export type ResourcePressure = {
  readonly some: PressureLine | undefined;
  readonly full: PressureLine | undefined;
};

/** The pressure of a system or of a cgroup; what the kernel doesn't account is undefined. */
export type Pressure = Readonly<Record<PressureResource, ResourcePressure | undefined>>;

const line =
  /^(some|full) avg10=(\d{1,3}\.\d\d) avg60=(\d{1,3}\.\d\d) avg300=(\d{1,3}\.\d\d) total=(\d{1,20})$/;

/** The text of a pressure file (Documentation/accounting/psi.rst). Lines that are not like that are absent. */
export function parsePressure(text: string): ResourcePressure {
  const found = new Map<string, PressureLine>();
  for (const row of text.split('\n')) {
    const [, kind, avg10, avg60, avg300, total] = line.exec(row) ?? [];
    if (kind === undefined || total === undefined) continue;
    found.set(kind, {
      avg10: Number(avg10),
      avg60: Number(avg60),
      avg300: Number(avg300),
      totalUs: BigInt(total),
    });
  }
  return { some: found.get('some'), full: found.get('full') };
}
