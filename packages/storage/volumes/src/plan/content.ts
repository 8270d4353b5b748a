import type { Action, Failure } from './action.ts';
import { describe, type Content } from '../facts/content.ts';
import { exhausted } from '../exhausted.ts';
import type { DeviceFacts, Facts } from '../facts/facts.ts';
import { isRecorded } from '../intents/intent.ts';
import { checkable, placeOf, useOf, type VolumeSpec } from '../spec.ts';
import { noIntents } from './place.ts';
import { phaseOf } from '../status-change.ts';
import type { VolumeStatus } from '../status.ts';

/** The device is finished, by us or by another system: what is on it is used as it is, or refused. Never formatted. */
export function planContent(
  spec: VolumeSpec,
  status: VolumeStatus,
  device: DeviceFacts,
  facts: Facts,
): Action {
  const refused = refuse(spec, device.found.devPath, device.content);
  if (refused !== undefined) return refused;
  if (device.content.kind === 'empty' && !isHandedOver(spec)) return begin(spec, device, facts);
  if (spec.encryption !== undefined) {
    const locked = planLocked(spec, status, device, facts);
    if (locked !== undefined) return locked;
  } else if (phaseOf(status) !== 'prepared') {
    return { kind: 'adoptContent', mountLocation: device.found.devPath };
  }
  return planMount(spec, device, facts);
}

/** A raw volume in clear: what is on it is none of our business, and nothing is as good as anything. */
function isHandedOver(spec: VolumeSpec): boolean {
  return spec.kind === 'raw' && spec.encryption === undefined;
}

/** Content that the configuration does not describe. */
function refuse(spec: VolumeSpec, devPath: string, content: Content): Failure | undefined {
  const encrypted = spec.encryption !== undefined;
  // A user of a raw volume may encrypt it by itself; under our own label it is what an earlier configuration has made.
  if (isHandedOver(spec) && !(content.kind === 'luks' && content.label === spec.id)) return undefined;
  switch (content.kind) {
    case 'empty':
      return undefined;
    case 'unknown':
      return fail('ERR_VOLUME_NOT_EMPTY', `${devPath} is not proven empty: ${describe(content)}`);
    case 'other':
      return fail('ERR_VOLUME_CONTENT', `${devPath} ${describe(content)}`);
    case 'luks':
      if (encrypted) return undefined;
      return fail('ERR_VOLUME_ENCRYPTED', `${devPath} is encrypted, and no encryption is configured`);
    case 'filesystem':
    case 'swap':
      if (encrypted)
        return fail(
          'ERR_VOLUME_NOT_ENCRYPTED',
          `${devPath} ${describe(content)} in clear, and encryption is configured`,
        );
      return wrongType(spec, devPath, content);
    default:
      return exhausted(content);
  }
}

function wrongType(spec: VolumeSpec, path: string, content: Content): Failure | undefined {
  const { kind, filesystem } = spec;
  if (kind === 'raw') return undefined;
  if (filesystem === undefined) {
    if (content.kind === 'filesystem') return undefined;
    return fail('ERR_VOLUME_CONTENT', `${path} ${describe(content)}, which can't be mounted`);
  }
  const { type, label } = filesystem;
  if (content.kind === 'filesystem' && content.type === type) return undefined;
  // Swap space is overwritten as soon as it is used: the label says that it may be.
  if (content.kind === 'swap' && type === 'swap') {
    if (content.label === label) return undefined;
    return fail('ERR_VOLUME_CONTENT', `${path} is swap space of somebody else: its label is not ${label}`);
  }
  return fail('ERR_VOLUME_CONTENT', `${path} ${describe(content)}, and ${type} is configured`);
}

/** Unlocks; undefined once the mapping is open and holds the right filesystem. */
function planLocked(
  spec: VolumeSpec,
  status: VolumeStatus,
  device: DeviceFacts,
  facts: Facts,
): Action | undefined {
  const { mapping, inner } = device;
  if (mapping === undefined) return { kind: 'openLuks' };
  if (!mapping.ours) return fail('ERR_VOLUME_MAPPING_TAKEN', `luks2-${spec.id} is open on ${mapping.device}`);
  if (phaseOf(status) !== 'prepared') return { kind: 'adoptContent', mountLocation: mapping.path };
  if (inner === undefined) return { kind: 'inspect' };
  if (spec.kind === 'raw') return undefined;
  if (inner.kind === 'empty') return begin(spec, device, facts);
  if (inner.kind === 'unknown')
    return fail('ERR_VOLUME_NOT_EMPTY', `${mapping.path} is not proven empty: ${describe(inner)}`);
  return wrongType(spec, mapping.path, inner);
}

function begin(spec: VolumeSpec, { found, mountedAt }: DeviceFacts, { intents }: Facts): Action {
  // The partition may have been found before the records could be read.
  if (spec.recorded && !intents.available) return { kind: 'wait', reason: noIntents };
  // It was finished once, so there was data: an encrypted volume whose header was zeroed looks like this, and a backup of
  // the header brings it back.
  if (found.recorded || (intents.available && isRecorded(found.partition, intents.record)))
    return fail(
      'ERR_VOLUME_CONTENT',
      `${found.devPath} was made for ${spec.id} and is empty now: restore what was there, or have it made anew ` +
        'by taking the volume out of the configuration and putting it back',
    );
  if (!spec.provision) return { kind: 'wait', phase: 'missing', reason: `${found.devPath} is empty` };
  if (mountedAt.length > 0) return fail('ERR_VOLUME_IN_USE', `empty, yet mounted at ${mountedAt.join(', ')}`);
  return { kind: 'beginConstruction' };
}

function planMount(spec: VolumeSpec, device: DeviceFacts, facts: Facts): Action {
  const { target, intents } = facts;
  if (target === undefined) return { kind: 'inspect' };
  if (spec.recorded && intents.available && intents.record?.phase !== 'done') return { kind: 'record' };
  if (useOf(spec) === 'none') return { kind: 'handOver' };
  return planCheck(spec, device, facts) ?? planUse(spec, target, facts.parentMounted);
}

/** What is mounted already, wherever, can not be checked. */
function planCheck(spec: VolumeSpec, { mountedAt }: DeviceFacts, facts: Facts): Action | undefined {
  const { sound, target, parentMounted } = facts;
  if (checkable(spec) === undefined || target !== 'free' || !parentMounted || mountedAt.length > 0)
    return undefined;
  return sound === 'unknown' || sound === 'refused'
    ? { kind: 'checkFilesystem', refused: sound === 'refused' }
    : undefined;
}

/** Mounts what is prepared, or needs no preparation, unless it is mounted already. */
export function planUse(
  spec: VolumeSpec,
  target: NonNullable<Facts['target']>,
  parentMounted: boolean,
): Action {
  const place = placeOf(spec);
  if (target !== 'free') {
    if (target.ours) return { kind: 'adoptMount' };
    return fail('ERR_VOLUME_TARGET_TAKEN', `${target.source} is mounted on ${place}`);
  }
  if (parentMounted) return { kind: 'mount' };
  return { kind: 'wait', reason: `${spec.mount?.parent} is not mounted yet, and ${place} is on it` };
}

function fail(code: Failure['code'], message: string): Failure {
  return { kind: 'fail', code, message, permanence: 'needs-operator' };
}
