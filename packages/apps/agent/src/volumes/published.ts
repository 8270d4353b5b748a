import type { Access, Input } from '@nodecore/runtime';
import { fieldsOf, type Json } from '@nodecore/state';
import type { VolumeStatus } from '@nodecore/volumes';

import { kindOf } from '../resources/definitions.ts';
import { volumeManagerStatuses, volumeStatuses } from './definitions.ts';

/** The volumes as their resources show them to other features. */
export type PublishedVolumes = {
  /** They are those of a configuration. */
  readonly isConfigured: boolean;
  /** Each has exactly the keys of the newest configuration. */
  readonly keysInSync: boolean;
  readonly volumes: readonly PublishedVolume[];
};

export type PublishedVolume = Pick<VolumeStatus, 'id' | 'type' | 'phase' | 'errorMessage' | 'reason'>;

/** What a controller that looks at all volumes reads: every change wakes `item`. */
export function volumeInputs(item: string): readonly Input[] {
  return [volumeStatuses, volumeManagerStatuses].map((definition): Input => ({
    ...kindOf(definition),
    strength: 'weak',
    items: () => [item],
  }));
}

/** For a controller with {@link volumeInputs}. What was read of the whole is never newer than the single volumes. */
export async function publishedVolumes(access: Access): Promise<PublishedVolumes> {
  const whole = await access.get({ ...kindOf(volumeManagerStatuses), id: 'volumes' });
  const { configured, keysInSync } = fieldsOf(whole?.spec ?? {});
  const single = await access.list(kindOf(volumeStatuses));
  return {
    isConfigured: configured === true,
    keysInSync: keysInSync === true,
    volumes: single.map(({ metadata: { id }, spec }) => volumeOf(id, spec)),
  };
}

/** They are written by this feature alone. */
function volumeOf(id: string, spec: Json): PublishedVolume {
  const { type, phase, errorMessage, reason } = fieldsOf(spec) as Omit<PublishedVolume, 'id'>;
  return {
    id,
    type,
    phase,
    ...(errorMessage !== undefined && { errorMessage }),
    ...(reason !== undefined && { reason }),
  };
}
