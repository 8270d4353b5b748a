/** How many tasks ran or waited for a disk, on average of the last minutes. */
export type LoadAverage = { readonly load1: number; readonly load5: number; readonly load15: number };

/** `/proc/loadavg` (proc_loadavg(5)); undefined for what is none. */
export function parseLoadAverage(text: string): LoadAverage | undefined {
  const [load1, load5, load15] = text.split(' ').slice(0, 3).map(Number);
  if (load15 === undefined || ![load1, load5, load15].every(Number.isFinite)) return undefined;
  return { load1: load1!, load5: load5!, load15 };
}
