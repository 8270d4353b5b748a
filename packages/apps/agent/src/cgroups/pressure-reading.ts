import type { PressureLineInit, PressureReadingInit, ResourcePressureInit } from '@nodecore/api/cgroup';
import type { Pressure, PressureLine, PressureResource } from '@nodecore/cgroup';

/** The reading before, and how long ago it was. */
export type EarlierPressure = { readonly pressure: Pressure; readonly elapsedNs: bigint };

/** A reading in the API's form, with the share of the time since an earlier one. */
export function wireReading(pressure: Pressure, earlier: EarlierPressure | undefined): PressureReadingInit {
  const of = (resource: PressureResource): ResourcePressureInit | undefined => {
    const now = pressure[resource];
    if (now === undefined) return undefined;
    const before = earlier?.pressure[resource];
    const lineOf = (kind: 'some' | 'full'): PressureLineInit | undefined =>
      wireLine(now[kind], recentShare(now[kind]?.totalUs, before?.[kind]?.totalUs, earlier?.elapsedNs));
    return defined({ some: lineOf('some'), full: lineOf('full') });
  };
  return defined({ cpu: of('cpu'), memory: of('memory'), io: of('io'), irq: of('irq') });
}

/** Percent of a time that was stall; undefined when it can't be said. */
export function recentShare(
  totalUs: bigint | undefined,
  beforeUs: bigint | undefined,
  elapsedNs: bigint | undefined,
): number | undefined {
  if (totalUs === undefined || beforeUs === undefined || elapsedNs === undefined) return undefined;
  if (elapsedNs <= 0n || totalUs < beforeUs) return undefined;
  // The kernel adds up in pieces: one that ends now may have begun before.
  return Math.min(100, (Number(totalUs - beforeUs) * 1e5) / Number(elapsedNs));
}

/**
 * Undefined where the kernel's file has no such line: `irq` has no `some`.
 *
 * @param recent percent of the time since the reading before.
 */
export function wireLine(
  line: PressureLine | undefined,
  recent: number | undefined,
): PressureLineInit | undefined {
  if (line === undefined) return undefined;
  const { avg10, avg60, avg300, totalUs: totalMicros } = line;
  return { avg10, avg60, avg300, totalMicros, ...(recent !== undefined && { recent }) };
}

type Defined<Fields> = { readonly [Name in keyof Fields]?: NonNullable<Fields[Name]> };

/** Without the fields that are undefined. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<Fields>;
}
