import { TapReader } from '@nodecore/testkit/tap';

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

/** Sorts the titles of all tests by how they ended. */
export function readReport(tap: string): Omit<AvaReport, 'code'> {
  const titles = { passed: [] as string[], failed: [] as string[], skipped: [] as string[] };
  const reader = new TapReader(({ outcome, title }) => titles[outcome].push(title));
  for (const line of tap.split('\n')) reader.read(line);
  reader.end();
  return { ...titles, tap };
}
