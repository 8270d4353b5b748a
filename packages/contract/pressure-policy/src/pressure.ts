/** What stalls: a processor, memory, a device, or interrupts. */
export type PressureResource = 'cpu' | 'memory' | 'io' | 'irq';
/** In the order in which they are shown. */
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
