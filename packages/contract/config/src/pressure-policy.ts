import { SelectorError } from '@nodecore/selector/expression';
import { type CgroupClass, cgroupClasses, type ClassRule } from '@nodecore/pressure-policy';

import { isCgroupPath } from './cgroup-path.ts';
import { type Place } from './place.ts';
import { readDuration } from './duration.ts';
import { readPressureTrigger } from './pressure-trigger.ts';
import { compileRanking, type RankingExpression } from './ranking-expression.ts';
import { isNothing, type Size } from './size.ts';
import { readSize } from './size-field.ts';
import { compileTrigger, type TriggerExpression } from './trigger-expression.ts';
import { type PressureAction, type PressurePolicy } from './types.ts';

/** Id of the policy whose document has no name. */
export const unnamedPolicy = 'oom';

/** The policy acts at once when the kernel says so, and not again for 5 seconds. */
const defaultTrigger = 'time_since_trigger > duration("5s")';

/** Whose memory is limited is for the kernel to look after; of the others the largest that can be spared. */
const defaultRanking =
  'memory_max.hasValue() ? 0.0 : {Besteffort: 1.0, Burstable: 0.5, Guaranteed: 0.0, Podruntime: 0.0, System: 0.0}[class]' +
  ' * double(memory_current.orValue(0u))';

const defaultProtected: readonly CgroupClass[] = ['System', 'Podruntime'];
const defaultSizes = { 'memory.reclaim': '25%', 'memory.high': '80%' } as const;
const shortestIntervalMs = 100;

/** Reads an `OOMConfig`: what is done to whom when a resource runs short. */
export function readPressurePolicy(root: Place): PressurePolicy | undefined {
  const name = root.get('name')?.text();
  if (name === unnamedPolicy)
    root.problemAt('name', 'name.reserved', `${unnamedPolicy} is the policy whose document has no name`);
  const trigger = readPressureTrigger(root.get('trigger'));
  const triggerExpression = compiled(root.get('triggerExpression'), defaultTrigger, compileTrigger);
  const ranking = compiled(root.get('cgroupRankingExpression'), defaultRanking, compileRanking);
  const action = readAction(root);
  const cgroups = readRules(root.get('cgroups'));
  const protectedClasses = readClasses(root.get('protectedClasses'));
  const sampleIntervalMs = readInterval(root.get('sampleInterval'));
  if (triggerExpression === undefined || ranking === undefined) return undefined;
  return {
    id: name ?? unnamedPolicy,
    trigger,
    triggerExpression,
    ranking,
    strictClassOrdering: root.get('strictCgroupClassOrdering')?.boolean() ?? true,
    sampleIntervalMs,
    cgroups,
    protectedClasses,
    action,
    dryRun: root.get('dryRun')?.boolean() ?? false,
  };
}

/** An expression, or the usual one; a mistake is reported where it stands. */
function compiled<T extends TriggerExpression | RankingExpression>(
  field: Place | undefined,
  usual: string,
  compile: (text: string) => T,
): T | undefined {
  if (field === undefined) return compile(usual);
  const text = field.text();
  if (text === undefined) return undefined; // reported as a wrong type
  try {
    return compile(text);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    field.problem('expression.invalid', error.reason, field.ahead(error));
    return undefined;
  }
}

function readInterval(field: Place | undefined): number {
  const intervalMs = readDuration(field) ?? 500;
  if (intervalMs >= shortestIntervalMs) return intervalMs;
  field?.problem('sample_interval.short', `must be at least ${shortestIntervalMs}ms`);
  return shortestIntervalMs;
}

function readRules(field: Place | undefined): readonly ClassRule[] {
  return (field?.items() ?? []).flatMap((item) => {
    const match = item.get('match')?.text();
    const className = classOf(item.get('class'));
    if (match !== undefined && !isCgroupPath(match))
      item.get('match')?.problem('cgroup.path', 'must be a path below the root, such as /batch/*');
    return match === undefined || className === undefined ? [] : [{ match, class: className }];
  });
}

function readClasses(field: Place | undefined): readonly CgroupClass[] {
  if (field === undefined || !field.isList()) return defaultProtected;
  const classes = field.items().flatMap((item) => classOf(item) ?? []);
  if (!classes.includes('System'))
    field.warning('protected_classes.system', 'services that the node lives on may be chosen: add System');
  return classes;
}

function classOf(field: Place | undefined): CgroupClass | undefined {
  return cgroupClasses.find((name) => name === field?.text());
}

function readAction(root: Place): PressureAction {
  const kind = root.get('action')?.text() ?? 'kill';
  const sizeField = root.get('size');
  const releaseField = root.get('release');
  const undone = kind === 'freeze' || kind === 'memory.high';
  const sized = kind === 'memory.reclaim' || kind === 'memory.high';
  if (!undone) releaseField?.problem('release.not_supported', `${kind} is not undone; leave release out`);
  if (!sized) sizeField?.problem('size.not_supported', `${kind} takes no size`);
  const afterMs = readDuration(releaseField?.get('after')) ?? 10_000;
  const atLatestMs = readDuration(releaseField?.get('atLatest')) ?? 600_000;
  if (undone && atLatestMs < afterMs)
    releaseField?.problem('release.order', 'atLatest is shorter than after');
  const release = { afterMs, atLatestMs };
  if (kind === 'freeze') return { kind, release };
  if (kind === 'memory.high') return { kind, size: readShare(sizeField, kind), release };
  if (kind === 'memory.reclaim') return { kind, size: readShare(sizeField, kind) };
  return { kind: 'kill' };
}

function readShare(field: Place | undefined, kind: 'memory.reclaim' | 'memory.high'): Size {
  const size = readSize(field);
  if (size !== undefined && size.negative) field?.problem('size.negative', 'must not be negative');
  else if (size !== undefined && isNothing(size)) field?.problem('size.zero', 'must be more than nothing');
  if (size !== undefined) return size;
  const text = defaultSizes[kind];
  return { kind: 'percent', digits: BigInt(Number.parseInt(text, 10)), decimals: 0, negative: false, text };
}
