import { codeOf } from '@nodecore/sys';

import { VolumeError } from '../errors.ts';
import { checkable } from '../spec.ts';
import type { Result, Work } from '../work.ts';

/** Makes the filesystem fit to be mounted, or says what stands against it. Nothing that it holds is given up. */
export async function checkFilesystem(work: Work, refused: boolean): Promise<Result> {
  const { spec, status, effects, signal, clock, tell } = work;
  const type = checkable(spec);
  if (type === undefined || status.mountLocation === undefined)
    throw new TypeError(`volume ${spec.id} has no filesystem to check`);
  const onProgress = (progress: string): void => tell(`check ${type}: ${progress}`);
  try {
    const check = await effects.checkFilesystem(status.mountLocation, { type, refused, onProgress, signal });
    return {
      sound: refused ? 'proven' : 'checked',
      ...(check === undefined ? {} : { status: { filesystemCheck: { ...check, finishedAt: clock.now() } } }),
    };
  } catch (error) {
    if (!isDamaged(error)) throw error;
    const { message, reasons } = error;
    const said = reasons.length === 0 ? message : `${message} (it said: ${reasons.join(' ')})`;
    throw new VolumeError('ERR_VOLUME_DAMAGED', spec.id, said, 'needs-operator', { cause: error, reasons });
  }
}

/** Whether the kernel complains of what is in a filesystem, and a check has not been tried on that yet. */
export function callsForCheck({ spec, facts }: Work, error: unknown): boolean {
  return checkable(spec) !== undefined && facts.sound !== 'proven' && isDamaged(error);
}

type Damaged = Error & { readonly reasons: readonly string[] };

function isDamaged(error: unknown): error is Damaged {
  return codeOf(error) === 'ERR_BLOCK_DAMAGED';
}
