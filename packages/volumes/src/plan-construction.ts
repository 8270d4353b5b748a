import type { Action, Failure } from './action.ts';
import { describe, type Content } from './content.ts';
import { exhausted } from './exhausted.ts';
import type { DeviceFacts, Facts } from './facts.ts';
import { noIntents } from './plan-place.ts';
import type { VolumeSpec } from './spec.ts';

/**
 * The device is ours and holds no data yet: its content is made from the beginning, in one run.
 *
 * What a crashed run has left is not continued but wiped: a half-written header or filesystem can't be told from a
 * whole one.
 */
export function planConstruction(spec: VolumeSpec, device: DeviceFacts, facts: Facts): Action {
  if (device.mountedAt.length > 0)
    return fail('ERR_VOLUME_IN_USE', `half-made, yet mounted at ${device.mountedAt.join(', ')}`);
  switch (facts.made) {
    case 'nothing':
      return startOver(spec, device);
    case 'wiped':
      return spec.encryption === undefined ? makeContent(spec, facts) : { kind: 'formatLuks' };
    case 'locked':
      return { kind: 'openLuks' };
    case 'opened':
      return { kind: 'wipeMapping' };
    case 'cleared':
      return makeContent(spec, facts);
    case 'blank':
    case 'filesystem':
      return { kind: 'finishConstruction' };
    default:
      return exhausted(facts.made);
  }
}

/** A raw volume is handed over blank, which may take hours: how far it has come is recorded. */
function makeContent(spec: VolumeSpec, { intents }: Facts): Action {
  if (spec.filesystem !== undefined) return { kind: 'makeFilesystem' };
  if (spec.blank === undefined) return { kind: 'finishConstruction' };
  return intents.available ? { kind: 'blank' } : { kind: 'wait', reason: noIntents };
}

function startOver(spec: VolumeSpec, device: DeviceFacts): Action {
  const { mapping, content, found } = device;
  if (mapping !== undefined) {
    if (mapping.device === found.devPath) return { kind: 'closeMapping' };
    return fail('ERR_VOLUME_MAPPING_TAKEN', `luks2-${spec.id} is open on ${mapping.device}`);
  }
  // A partition entry says itself that we are making it. A disk is named by a record elsewhere: should somebody
  // have put the disk to another use since, what is on it is not ours.
  if (found.partition === undefined && isForeign(spec, content))
    return fail('ERR_VOLUME_CONTENT', `${found.devPath} ${describe(content)}, which was not made here`);
  return { kind: 'wipe' };
}

/** Whether somebody else has put it there since. */
export function isForeign(spec: VolumeSpec, content: Content): boolean {
  switch (content.kind) {
    case 'empty':
    case 'unknown': // a torn header or filesystem looks like this
      return false;
    case 'luks':
      return content.label !== spec.id;
    case 'filesystem':
      return content.type !== spec.filesystem?.type || content.label !== spec.filesystem.label;
    case 'swap':
      return spec.filesystem?.type !== 'swap' || content.label !== spec.filesystem.label;
    case 'other':
      return true;
    default:
      return exhausted(content);
  }
}

function fail(code: Failure['code'], message: string): Failure {
  return { kind: 'fail', code, message, permanence: 'needs-operator' };
}
