/** A line of `/proc/meminfo`. */
export type MemoryValue = {
  readonly name: string;
  readonly value: bigint;
  /** `kB`, which means 1024 bytes; empty of what is counted, such as huge pages. */
  readonly unit: string;
};

/** `/proc/meminfo` (proc_meminfo(5)), in its order. */
export function parseMemoryValues(text: string): readonly MemoryValue[] {
  return Array.from(
    text.matchAll(/^([^:\n]+):\s+(\d+)(?: (\w+))?$/gmu),
    ([, name = '', value, unit = '']) => ({
      name,
      value: BigInt(value ?? 0),
      unit,
    }),
  );
}
