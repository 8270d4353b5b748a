import type { Comparison } from './compare.ts';

/** One row per question; the ratio is the claim, the times are for orientation. */
export function table(rows: readonly (Comparison & { readonly name: string })[], smoke: boolean): string {
  const cells = rows.map((row) => [
    row.name,
    `${number(row.ours)} ${row.unit}`,
    `${number(row.peer)} ${row.unit}`,
    row.ratio.toFixed(3),
    `≤ ${row.gate}`,
    `${number(row.p99.ours)} / ${number(row.p99.peer)}`,
    String(row.n),
    verdict(row, smoke),
    `${row.names.ours} ÷ ${row.names.peer}`,
  ]);
  const all = [['bench', 'ours', 'peer', 'ratio', 'gate', 'p99', 'n', 'result', 'what'], ...cells];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function verdict({ complete, pass }: Comparison, smoke: boolean): string {
  if (!complete) return 'part';
  if (smoke) return 'smoke';
  return pass ? 'pass' : 'FAIL';
}

function number(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 1000 ? 1 : 0);
}
