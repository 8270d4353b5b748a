import type { Action } from './action.ts';
import { exhausted } from './exhausted.ts';
import type { Facts } from './facts.ts';
import { planConstruction } from './plan-construction.ts';
import { planContent } from './plan-content.ts';
import { planPlace } from './plan-place.ts';
import type { MountFlags, VolumeSpec } from './spec.ts';
import { phaseOf } from './status-change.ts';
import type { VolumeStatus } from './status.ts';

/**
 * Decides what comes next for one volume. Pure: the same arguments give the same action, and nothing is touched.
 *
 * A phase says how much has been proven in this run, not what was true before a crash: after a start every volume
 * is `waiting` and walks through the same questions again.
 */
export function plan(spec: VolumeSpec, status: VolumeStatus, facts: Facts): Action {
  const phase = phaseOf(status);
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
  if (target === 'free') return lost(`${spec.mount.target} was unmounted by somebody else`);
  if (!target.ours)
    return {
      kind: 'fail',
      code: 'ERR_VOLUME_TARGET_TAKEN',
      message: `${target.source} was mounted over ${spec.mount.target}`,
      permanence: 'needs-operator',
    };
  if (!sameFlags(target.flags, spec.mount.flags)) return { kind: 'changeMount' };
  const unrecorded = spec.recorded && intents.available && intents.record?.phase !== 'done';
  return unrecorded && device !== 'gone' ? { kind: 'record' } : { kind: 'stay' };
}

function sameFlags(left: MountFlags, right: MountFlags): boolean {
  const names = ['readOnly', 'nosuid', 'nodev', 'noexec', 'noatime'] as const;
  return names.every((name) => left[name] === right[name]);
}

/** Back to the first question: where is it? */
function lost(reason: string): Action {
  return { kind: 'wait', phase: 'waiting', reason };
}
