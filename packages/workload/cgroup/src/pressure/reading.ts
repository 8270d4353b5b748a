import type { PressureLine, ResourcePressure } from '@nodecore/pressure-policy';

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
