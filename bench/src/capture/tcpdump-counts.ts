/** What tcpdump says at its end. */
export function tcpdumpCounts(lines: readonly string[]): {
  readonly packets: number;
  readonly dropped: number;
} {
  const number = (pattern: RegExp): number =>
    Number(lines.map((line) => pattern.exec(line)?.[1]).find(Boolean));
  return {
    packets: number(/^(\d+) packets? captured/),
    dropped: number(/^(\d+) packets? dropped by kernel/),
  };
}
