import type { VolumeErrorCode } from '../errors.ts';
import type { Candidate, Found } from '../facts/facts.ts';
import type { Permanence } from '../status.ts';
import type { DiskVerdict } from '../facts/verdict.ts';
import type { WantedSpace } from './wanted-space.ts';

/** The one next thing to do for a volume. */
export type Action =
  // Look closer: the plan can't decide without these facts.
  | { readonly kind: 'locate' }
  | { readonly kind: 'survey' }
  | { readonly kind: 'inspect' }
  // Take what is there.
  | { readonly kind: 'adopt'; readonly found: Found }
  | { readonly kind: 'adoptContent'; readonly mountLocation: string }
  | { readonly kind: 'adoptMount' }
  // Make what is not there.
  | { readonly kind: 'provisionPartition'; readonly candidate: Candidate; readonly size: bigint | 'rest' }
  | { readonly kind: 'claimDisk'; readonly candidate: Candidate }
  | { readonly kind: 'beginConstruction' }
  | { readonly kind: 'closeMapping' }
  | { readonly kind: 'putMark' }
  | { readonly kind: 'wipe' }
  | { readonly kind: 'formatLuks' }
  | { readonly kind: 'openLuks' }
  | { readonly kind: 'wipeMapping' }
  | { readonly kind: 'blank' }
  | { readonly kind: 'makeFilesystem' }
  | { readonly kind: 'finishConstruction' }
  | { readonly kind: 'acceptMade' }
  | { readonly kind: 'record' }
  | { readonly kind: 'handOver' }
  | { readonly kind: 'checkFilesystem'; readonly refused: boolean }
  | { readonly kind: 'mount' }
  | { readonly kind: 'changeMount' }
  // Take up the room that there is by now.
  | { readonly kind: 'growPartition'; readonly size: bigint }
  | { readonly kind: 'fillDevice'; readonly size: bigint }
  // Nothing to do now.
  | Wait
  | Failure
  | { readonly kind: 'stay' };

export type Failure = {
  readonly kind: 'fail';
  readonly code: VolumeErrorCode;
  readonly message: string;
  readonly permanence: Permanence;
};

export type Wait = {
  readonly kind: 'wait';
  /** Absent: the phase stays. */
  readonly phase?: 'waiting' | 'missing';
  readonly reason: string;
  /** Why each disk is not used, where one is looked for. */
  readonly candidates?: readonly DiskVerdict[];
  /** It has not had its turn: later volumes leave it the space that it may want, on every disk or on these. */
  readonly wantsSpace?: WantedSpace;
};
