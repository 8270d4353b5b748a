import type { Facts } from '../facts/facts.ts';
import type { VolumeSpec } from '../spec.ts';
import type { TaskOptions } from './surroundings.ts';

/** What this run of the agent has done for a volume. */
export type RunProgress = Pick<Facts, 'made' | 'growth' | 'sound'>;

export const initialProgress: RunProgress = { made: 'nothing', growth: {}, sound: 'unknown' };

/** The progress after a step that returned `news`. */
export function withProgress({ made, growth, sound }: RunProgress, news: Partial<RunProgress>): RunProgress {
  return { made: news.made ?? made, growth: news.growth ?? growth, sound: news.sound ?? sound };
}

/** What is known about a volume without another look at its device, with what this run has seen and done. */
export function knownFacts(
  spec: VolumeSpec,
  { surroundings, workshop }: Pick<TaskOptions, 'surroundings' | 'workshop'>,
  run: Omit<Facts, 'disksKnown' | 'systemDisk' | 'intents' | 'parentMounted' | 'pending'>,
): Facts {
  const record = workshop.intents.get(spec.id);
  return {
    disksKnown: surroundings.inventory() !== undefined,
    systemDisk: surroundings.systemDisk(),
    intents: surroundings.intentsAvailable()
      ? { available: true, ...(record === undefined ? {} : { record }) }
      : { available: false },
    parentMounted: surroundings.parentMounted(spec),
    pending: surroundings.pending(spec),
    ...run,
  };
}
