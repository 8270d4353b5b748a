export { checkNode } from './check-node.ts';
export { runChecks } from './run-checks.ts';
export type { CheckResult, Fields, NodeFacts, Verdict } from './verdict.ts';
