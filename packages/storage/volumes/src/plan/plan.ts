import type { Action } from './action.ts';
import { exhausted } from '../exhausted.ts';
import type { Facts } from '../facts/facts.ts';
import { sameFlags } from '../mounts/flags.ts';
import { planConstruction } from './construction.ts';
import { planContent, planUse } from './content.ts';
import { planGrowth } from './growth.ts';
import { planPlace } from './place.ts';
import { hasDevice, placeOf, useOf, type VolumeSpec } from '../spec.ts';
import { phaseOf } from '../status-change.ts';
import type { VolumeStatus } from '../status.ts';

/**
 * Decides what comes next for one volume. Pure: the same arguments give the same action, and nothing is touched.
 *
 * A phase says how much has been proven in this run, not what was true before a crash: after a start every volume
 * is `waiting` and walks through the same questions again.
 */
export function plan(spec: VolumeSpec, status: VolumeStatus, facts: Facts): Action {
  const phase = phaseOf(status);
  if (!hasDevice(spec)) return planWithoutDevice(spec, phase, facts);
  switch (phase) {
    case 'waiting':
    case 'missing':
      return planPlace(spec, facts);
    case 'located':
    case 'provisioned':
    case 'prepared':
      return planDevice(spec, status, facts);
    case 'ready':
      return planReady(spec, facts);
    case 'failed':
    case 'closed':
      return { kind: 'stay' };
    default:
      return exhausted(phase);
  }
}

/** A directory or a share of the host is there or not; there is nothing to find and nothing to make. */
function planWithoutDevice(spec: VolumeSpec, phase: VolumeStatus['phase'], facts: Facts): Action {
  if (phase === 'closed') return { kind: 'stay' };
  const { target } = facts;
  if (target === undefined) return { kind: 'inspect' };
  return phase === 'ready' ? planMounted(spec, target) : planUse(spec, target, facts.parentMounted);
}

function planDevice(spec: VolumeSpec, status: VolumeStatus, facts: Facts): Action {
  const { device } = facts;
  if (device === undefined) return { kind: 'inspect' };
  if (device === 'gone') return lost(`${status.location ?? 'the device'} is not there any more`);
  return device.underConstruction
    ? planConstruction(spec, device, facts)
    : planContent(spec, status, device, facts);
}

function planReady(spec: VolumeSpec, facts: Facts): Action {
  const { device, target, intents } = facts;
  if (target === undefined || device === undefined) return { kind: 'inspect' };
  if (useOf(spec) === 'none') {
    if (device === 'gone') return lost(`${spec.id} is not there any more`);
    if (spec.encryption !== undefined && device.mapping?.ours !== true)
      return lost(`luks2-${spec.id} was closed by somebody else`);
  } else {
    const next = planMounted(spec, target);
    if (next.kind !== 'stay') return next;
  }
  if (device === 'gone') return { kind: 'stay' };
  if (spec.recorded && intents.available && intents.record?.phase !== 'done') return { kind: 'record' };
  return planGrowth(spec, device, facts) ?? { kind: 'stay' };
}

/** Whether it is still used as it shall be. */
function planMounted(spec: VolumeSpec, target: NonNullable<Facts['target']>): Action {
  const place = placeOf(spec);
  if (target === 'free')
    return lost(`${place} was ${spec.mount ? 'unmounted' : 'taken out of use'} by somebody else`);
  if (!target.ours)
    return {
      kind: 'fail',
      code: 'ERR_VOLUME_TARGET_TAKEN',
      message: `${target.source} was mounted over ${place}`,
      permanence: 'needs-operator',
    };
  if (spec.mount !== undefined && !sameFlags(target.flags, spec.mount.flags)) return { kind: 'changeMount' };
  return { kind: 'stay' };
}

/** Back to the first question: where is it? */
function lost(reason: string): Action {
  return { kind: 'wait', phase: 'waiting', reason };
}
