import type { CheckResult, Verdict } from './verdict.ts';

/** Looks at everything at the same time. A check that throws rejects it all: what can't be asked is no verdict. */
export async function runChecks(
  checks: Readonly<Record<string, () => Promise<Verdict>>>,
  nowMs: () => number = () => performance.now(),
): Promise<readonly CheckResult[]> {
  return await Promise.all(
    Object.entries(checks).map(async ([check, look]) => {
      const begun = nowMs();
      const verdict = await look();
      return { check, ...verdict, durationMs: Math.round(nowMs() - begun) };
    }),
  );
}
