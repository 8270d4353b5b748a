import { RotationState, type RotateKeysResponseInit } from '@nodecore/api/volume';
import type { KeyFailure, PlannedKey, RotationPlan, RotationReport, SyncProgress } from '@nodecore/keys';
import { codeOf } from '@nodecore/sys';
import type { VolumeKeys } from '@nodecore/volumes';
import { ProgressLog } from '@nodecore/waiting';

import type { Note } from '../server/audit.ts';

export type Rotation = {
  readonly volume: string;
  /** None: every configured slot. */
  readonly slots: readonly number[];
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
};

/** Rotates, or says how it would, and yields each step. A failure is yielded too, and ends only this volume's rotation. */
export async function* rotateVolume(
  keysOf: () => Pick<VolumeKeys, 'rotate' | 'planRotation'>,
  { volume, slots, dryRun, signal }: Rotation,
  note: Note,
): AsyncGenerator<RotateKeysResponseInit> {
  const chosen = slots.length === 0 ? {} : { slots };
  try {
    const keys = keysOf(); // a volume may be gone when its turn comes
    if (dryRun) {
      const plan = await keys.planRotation({ ...chosen, signal });
      yield* plan.keys.filter(({ slot }) => isChosen(slot, slots)).map((key) => planned(volume, key));
      yield waysIn(volume, plan);
    } else {
      const steps = new ProgressLog<SyncProgress>();
      const work = keys.rotate({ ...chosen, signal, onProgress: (progress) => steps.append(progress) });
      const ended = work.then(
        () => steps.end(),
        () => steps.end(),
      );
      for await (const { slot, description: message } of steps.entries())
        yield { volume, ...(slot !== undefined && { slot }), state: RotationState.RUNNING, message };
      await ended;
      yield* outcomes(volume, await work, slots);
    }
    note.end('done');
  } catch (error) {
    signal.throwIfAborted();
    const code = codeOf(error);
    note.end('failed', code);
    if (code === undefined) throw error; // a defect of ours
    const message = error instanceof Error ? error.message : String(error);
    yield { volume, state: RotationState.FAILED, message, code, permanence: permanenceOf(error) };
  }
}

function isChosen(slot: number, slots: readonly number[]): boolean {
  return slots.length === 0 || slots.includes(slot);
}

function planned(
  volume: string,
  { slot, kind, action, reason, gains, loses }: PlannedKey,
): RotateKeysResponseInit {
  const base = { volume, slot, kind, message: reason };
  if (action === 'keep') return { ...base, state: RotationState.SKIPPED };
  if (action === 'blocked') return { ...base, state: RotationState.FAILED, code: 'ERR_KEYS_BLOCKED' };
  const changes = [listed('loses', loses), listed('gains', gains)].filter((part) => part !== '');
  return { ...base, state: RotationState.PLANNED, message: [`${action}: ${reason}`, ...changes].join('; ') };
}

function listed(verb: string, protections: readonly string[]): string {
  return protections.length === 0 ? '' : `${verb} ${protections.join(', ')}`;
}

/** About the volume as a whole: nothing of it fails when nothing is to be done. */
function waysIn(volume: string, { keys, ways }: RotationPlan): RotateKeysResponseInit {
  const isChanged = keys.some(({ action }) => action === 'add' || action === 'replace');
  const state = isChanged ? RotationState.PLANNED : RotationState.SKIPPED;
  const { before, lowest, after } = ways;
  const message = isChanged
    ? `proven keys that open it: ${before} now, ${lowest} at the lowest point, ${after} at the end`
    : `proven keys that open it: ${before}`;
  return { volume, state, message };
}

/** Slots that the request did not name were synchronised as well; only their failures are reported. */
function* outcomes(
  volume: string,
  { synced, failed, removed }: RotationReport,
  slots: readonly number[],
): Generator<RotateKeysResponseInit> {
  for (const { slot, kind, change, reason = '' } of synced) {
    if (change === 'none' && !isChosen(slot, slots)) continue;
    const state = change === 'none' ? RotationState.SKIPPED : RotationState.DONE;
    yield { volume, slot, kind, state, message: reason || words[change] };
  }
  for (const failure of failed) yield failedKey(volume, failure);
  for (const slot of removed)
    yield { volume, slot, state: RotationState.DONE, message: 'removed: it is configured no more' };
}

const words = {
  none: 'it follows from the configuration or the node, and opens its keyslot',
  added: 'added',
  replaced: 'replaced',
} as const;

function failedKey(
  volume: string,
  { slot, kind, code, message, permanence }: KeyFailure,
): RotateKeysResponseInit {
  return { volume, slot, kind, state: RotationState.FAILED, message, code, permanence };
}

function permanenceOf(error: unknown): string {
  const own = error instanceof Error && 'permanence' in error ? error.permanence : undefined;
  return typeof own === 'string' ? own : '';
}
