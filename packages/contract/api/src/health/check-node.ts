import { nodeChecks } from './node-checks.ts';
import { runChecks } from './run-checks.ts';
import type { CheckResult, NodeFacts } from './verdict.ts';

/** Everything that one node is judged by: a node itself, and a client that judges it from outside, do it alike. */
export async function checkNode(facts: NodeFacts): Promise<readonly CheckResult[]> {
  return await runChecks(
    Object.fromEntries(Object.entries(nodeChecks).map(([name, check]) => [name, () => check(facts)])),
  );
}
