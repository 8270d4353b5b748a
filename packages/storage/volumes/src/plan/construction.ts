import type { Action, Failure } from './action.ts';
import { describe } from '../facts/content.ts';
import { exhausted } from '../exhausted.ts';
import type { DeviceFacts, Facts } from '../facts/facts.ts';
import { noIntents } from './place.ts';
import { markOf } from '../facts/provenance.ts';
import type { VolumeSpec } from '../spec.ts';

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
      return startOver(spec, device, facts);
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

/** What is there is only ever wiped when the device itself shows that it is of an attempt of ours. */
function startOver(spec: VolumeSpec, device: DeviceFacts, { intents }: Facts): Action {
  const { mapping, content, found, provenance = 'foreign' } = device;
  const { devPath } = found;
  if (provenance === 'foreign') return foreign(spec, device);
  if (mapping !== undefined) {
    if (mapping.device === devPath) return { kind: 'closeMapping' };
    return fail('ERR_VOLUME_MAPPING_TAKEN', `luks2-${spec.id} is open on ${mapping.device}`);
  }
  // Who only looks for it does not know what it shall be: whether it is to be encrypted, and with which keys.
  if (!spec.provision && provenance !== 'made') return incomplete(devPath);
  switch (provenance) {
    case 'begun':
      return { kind: 'wipe' };
    case 'made':
      return content.kind === 'luks' && spec.encryption === undefined
        ? foreign(spec, device)
        : { kind: 'acceptMade' };
    case 'blank': {
      const record = intents.available ? intents.record : undefined;
      const isMarkable = markOf(spec.id, found, record) !== undefined;
      return { kind: isMarkable ? 'putMark' : 'beginConstruction' };
    }
    default:
      return exhausted(provenance);
  }
}

function incomplete(devPath: string): Action {
  return { kind: 'wait', phase: 'missing', reason: `${devPath} was begun and is not complete` };
}

function foreign(spec: VolumeSpec, { found, content }: DeviceFacts): Failure {
  const begun =
    found.partition === undefined
      ? `a disk was begun for ${spec.id}, and this one does not carry its mark; bring the other one back, or`
      : `it says that ${spec.id} is being made in it, and does not carry its mark;`;
  return fail(
    'ERR_VOLUME_CONTENT',
    `${found.devPath} ${describe(content)}, which was not made here: ${begun} have this one wiped ` +
      `(osctl wipe volume ${spec.id}) if nobody needs it`,
  );
}

function fail(code: Failure['code'], message: string): Failure {
  return { kind: 'fail', code, message, permanence: 'needs-operator' };
}
