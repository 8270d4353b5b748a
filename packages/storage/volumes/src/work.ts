import type { Inventory } from '@nodecore/block';
import type { KeyFailure, KeyKind, Unlocked } from '@nodecore/keys';
import type { Clock, KeyedLock } from '@nodecore/waiting';

import type { Claims } from './disks/claims.ts';
import type { Effects } from './effects.ts';
import type { Facts, Found, Growth, Made, Soundness } from './facts/facts.ts';
import type { Intents } from './intents/intents.ts';
import type { DeviceReader } from './observe/device-reader.ts';
import type { VolumeSpec } from './spec.ts';
import type { VolumeStatus } from './status.ts';

/** The keys that a volume was tried with. */
export type KeysTried = {
  /** Of the one that opened it; undefined: none did. */
  readonly opener: KeyKind | undefined;
  readonly failures: readonly KeyFailure[];
};

/** What all volumes of a manager share. */
export type Workshop = {
  readonly effects: Effects;
  readonly reader: DeviceReader;
  readonly intents: Intents;
  /** By the path of a disk: what changes its table or takes the disk whole happens there one after the other. */
  readonly locks: KeyedLock;
  readonly claims: Claims;
  readonly clock: Clock;
  /** Whether a volume of this id is wanted on this node. */
  readonly isVolume: (id: string) => boolean;
  /** Hears of each time that a volume was to be opened. */
  readonly keysTried?: ((id: string, tried: KeysTried) => void) | undefined;
};

/** One step's material: what shall be, what is, and where. */
export type Work = Workshop & {
  readonly spec: VolumeSpec;
  readonly status: VolumeStatus;
  readonly facts: Facts;
  readonly inventory: Inventory;
  /** Set from `located` on. */
  readonly found: Found | undefined;
  readonly signal: AbortSignal;
  /** Says what is being done, for the status. */
  readonly tell: (progress: string) => void;
};

/** What a step has brought. Absent: unchanged. */
export type Result = {
  readonly status?: Partial<VolumeStatus>;
  readonly made?: Made;
  readonly found?: Found;
  readonly growth?: Growth;
  readonly sound?: Soundness;
  /** The key that opened the volume; the receiver of this result disposes of it. */
  readonly opener?: Unlocked;
};

/** The located device; a step that needs one is never planned without. */
export function foundOf(work: Work): Found {
  const { device } = work.facts;
  const found = typeof device === 'object' ? device.found : work.found;
  if (found === undefined) throw new TypeError(`volume ${work.spec.id} is not located`);
  return found;
}
