/** What a run of ava test files in a machine came to. */
export type AvaReport = {
  /** ava's exit code. */
  readonly code: number;
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
  /** The whole TAP text, with the diagnostics of failed tests. */
  readonly tap: string;
};

/** Reads the TAP that ava prints: one `ok`/`not ok` line per test. */
export function parseTap(tap: string): Omit<AvaReport, 'code'> {
  const passed: string[] = [];
  const failed: string[] = [];
  const skipped: string[] = [];
  for (const line of tap.split('\n')) {
    const match = /^(not )?ok \d+ - (.*?)(?: # (SKIP|TODO)\b.*)?$/.exec(line);
    if (match === null) continue;
    const [, not, title = '', directive] = match;
    if (directive !== undefined) skipped.push(title);
    else if (not !== undefined) failed.push(title);
    else passed.push(title);
  }
  return { passed, failed, skipped, tap };
}
