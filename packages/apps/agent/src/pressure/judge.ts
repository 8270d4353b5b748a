import type { PressureAlert } from '@nodecore/cgroup';
import {
  type Candidate,
  candidatesOf,
  type Choice,
  classifier,
  decide,
  type Observation,
  type Ranked,
  type Refused,
  defaultRules,
  defaultWholes,
} from '@nodecore/pressure-policy';
import type { PressurePolicy } from '@nodecore/config';
import { codeOf } from '@nodecore/sys';
import type { Clock } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import { type DecisionFacts, deedOf, lines, readingsOf, victimSpec } from './decision.ts';
import type { Decisions } from './decisions.ts';
import type { PressureEngine, Rules, Victim } from './engine.ts';
import type { Holds } from './holds.ts';
import { perform } from './perform.ts';

export type JudgeParts = {
  readonly policy: PressurePolicy;
  readonly engine: PressureEngine;
  readonly decisions: Decisions;
  readonly holds: Holds;
  readonly clock: Clock;
  readonly log: Log;
};

/** Two looks at the machine; the second is what is decided on. */
export type Looks = { readonly now: Observation; readonly before: Observation | undefined };

const maxNames = 32;

/** The cgroups that a policy looks at. */
export function rulesOf({ cgroups }: PressurePolicy): Rules {
  return {
    candidates: classifier([...cgroups, ...defaultRules]),
    wholes: classifier([...cgroups, ...defaultWholes]),
  };
}

/** Chooses a victim, does what the policy says, and records it. */
export async function judge(
  parts: JudgeParts,
  alert: PressureAlert,
  { now, before }: Looks,
  signal: AbortSignal,
): Promise<void> {
  const { policy, decisions, clock, log } = parts;
  const choice = await choose(parts, { now, before });
  const { taken, vanished } = await takeFirst(parts.engine, choice);
  const refused = [...vanished, ...choice.refused];
  const facts: DecisionFacts = {
    time: new Date(clock.now()).toISOString(),
    policy: policy.id,
    trigger: triggerSpec(policy, alert),
    expression: policy.triggerExpression.text,
    ...readingsOf(now, before, { ...choice, refused }),
    ...deedOf(policy),
    outcome: 'noVictim',
  };
  if (taken === undefined) {
    const { count = 1 } = decisions.add(facts);
    const level = count === 1 ? 'warn' : 'debug';
    log[level]({ policy: policy.id, refused: refused.length }, 'pressure, and nobody to act on');
    return;
  }
  await using victim = taken.victim;
  await carryOut(parts, facts, { ...taken, victim }, signal);
}

/** What is done to the victim, told before, and its outcome after it. */
async function carryOut(
  { policy, engine, decisions, holds, clock, log }: JudgeParts,
  facts: DecisionFacts,
  { victim, ranked: { candidate, score } }: Taken,
  signal: AbortSignal,
): Promise<void> {
  const { path } = candidate;
  const members = await victim.members(maxNames);
  const spec = victimSpec({ path, class: candidate.class, score, inode: victim.inode }, members);
  const named = { policy: policy.id, victim: path, action: policy.action.kind };
  if (policy.dryRun) {
    decisions.add({ ...facts, victim: spec, outcome: 'dryRun' });
    log.warn(named, 'pressure: would act');
    return;
  }
  const { id } = decisions.add({ ...facts, victim: spec, outcome: 'acting' });
  const startedNs = engine.nowNs();
  const durationMs = (): number => Number(engine.nowNs() - startedNs) / 1e6;
  try {
    const bootId = await engine.bootId();
    const hold = { decision: id, policy: policy.id, path, inode: String(victim.inode), bootId };
    const { action } = policy;
    const { memoryCurrent } = candidate;
    const effect = await perform({ victim, action, memoryCurrent, hold, holds, clock, signal });
    decisions.update(id, { outcome: 'done', effect, durationMs: durationMs() });
    log.warn({ ...named, decision: id, durationMs: durationMs() }, 'pressure: acted');
  } catch (error) {
    const errorMessage = error instanceof Error ? error.message : String(error);
    const errorCode = codeOf(error);
    decisions.update(id, {
      outcome: 'failed',
      errorMessage,
      ...(errorCode !== undefined && { errorCode }),
      durationMs: durationMs(),
    });
    log.error({ ...named, decision: id, err: error }, 'pressure: the action failed');
  }
}

async function choose({ policy, engine, holds }: JudgeParts, { now, before }: Looks): Promise<Choice> {
  return decide({
    candidates: candidatesOf(now, before),
    rank: (candidate: Candidate) => policy.ranking.rank(candidate),
    strictClassOrdering: policy.strictClassOrdering,
    protectedClasses: policy.protectedClasses,
    protected: await engine.protected(),
    held: policy.action.kind === 'kill' ? [] : holds.all.map(({ path }) => path),
    mayBeFrozen: policy.action.kind === 'kill',
  });
}

type Taken = { readonly ranked: Ranked; readonly victim: Victim };

/** The first that is still there: a cgroup that has gone by itself is no victim. */
async function takeFirst(
  engine: PressureEngine,
  { ranked }: Choice,
): Promise<{ readonly taken: Taken | undefined; readonly vanished: readonly Refused[] }> {
  const vanished: Refused[] = [];
  for (const each of ranked) {
    const victim = await engine.take(each.candidate);
    if (victim !== undefined) return { taken: { ranked: each, victim }, vanished };
    const { path, class: className } = each.candidate;
    vanished.push({ path, class: className, why: 'vanished' });
  }
  return { taken: undefined, vanished };
}

function triggerSpec(
  { trigger }: PressurePolicy,
  { reading, sampled }: PressureAlert,
): DecisionFacts['trigger'] {
  const { resource, kind, stallUs, windowUs, cgroup } = trigger;
  return { resource, kind, stallUs, windowUs, cgroup, sampled, reading: lines(reading) };
}
