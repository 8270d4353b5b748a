import type { Json } from '@nodecore/state';

import type { Hold } from './hold.ts';
import type { PolicyRun } from './policy-run.ts';

/** What a pressure policy waits for and has done, as the spec of a `PressurePolicies` resource. */
export function pressurePolicySpec(
  { policy, phase, alertCount, sampled, lastAlertMs, expressionError }: PolicyRun,
  held: readonly Hold[],
  failure: { readonly code: string | undefined; readonly message: string } | undefined,
): Json {
  const { resource, kind, stallUs, windowUs, cgroup } = policy.trigger;
  return {
    phase: failure === undefined ? phase : 'failed',
    resource,
    kind,
    stallMs: stallUs / 1000,
    windowMs: windowUs / 1000,
    cgroup,
    sampled,
    triggerExpression: policy.triggerExpression.text,
    cgroupRankingExpression: policy.ranking.text,
    action: policy.action.kind,
    size: 'size' in policy.action ? policy.action.size.text : undefined,
    dryRun: policy.dryRun,
    protectedClasses: policy.protectedClasses,
    alerts: alertCount,
    lastAlert: lastAlertMs === undefined ? undefined : new Date(lastAlertMs).toISOString(),
    held: held.map(({ path }) => path),
    expressionError,
    errorCode: failure?.code,
    errorMessage: failure?.message,
  };
}
