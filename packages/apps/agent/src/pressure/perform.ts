import type { Clock } from '@nodecore/waiting';
import type { PressureAction } from '@nodecore/config';
import type { Json } from '@nodecore/state';

import type { Victim } from './engine.ts';
import type { Hold } from './hold.ts';
import type { Holds } from './holds.ts';

export type PerformParts = {
  readonly victim: Victim;
  readonly action: PressureAction;
  /** Of the victim, in bytes; undefined without a memory controller. */
  readonly memoryCurrent: number | undefined;
  /** What of a hold is known before it is decided what it is. */
  readonly hold: Omit<Hold, 'kind' | 'release' | 'limited'>;
  readonly holds: Holds;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/** Does what a policy says to its victim. What is to be undone is recorded before. @returns what it came to. */
export async function perform(parts: PerformParts): Promise<Json> {
  const { victim, action, clock, signal } = parts;
  if (action.kind === 'kill') {
    await victim.kill({ clock }); // once asked for it can't be taken back
    return {};
  }
  if (action.kind === 'freeze') {
    const { kind, release } = action;
    await held(parts, { ...parts.hold, kind, release }, () => victim.freeze({ clock, signal }));
    return {};
  }
  const bytes = bytesOf(action.size, parts.memoryCurrent);
  if (action.kind === 'memory.reclaim') return { ...(await victim.reclaim(bytes, { signal })) };
  const { kind, release } = action;
  const limited = await victim.limitFor(bytes);
  await held(parts, { ...parts.hold, kind, release, limited }, () => victim.limit(limited));
  return { former: limited.former, memoryHigh: limited.written };
}

/** Records, then does. What failed is undone; should that fail, too, the record is there for another attempt. */
async function held({ holds }: PerformParts, hold: Hold, act: () => Promise<void>): Promise<void> {
  await holds.add(hold);
  try {
    await act();
  } catch (error) {
    await holds.release(hold).catch(() => {});
    throw error;
  }
}

type Size = Extract<PressureAction, { size: unknown }>['size'];

/** A size of a policy in bytes. @throws {TypeError} for a share of what is not known. */
function bytesOf(size: Size, memoryCurrent: number | undefined): number {
  if (size.kind === 'bytes') return Number(size.bytes);
  if (memoryCurrent === undefined)
    throw new TypeError('it has no memory.current: the memory controller is off for it');
  return Number((BigInt(memoryCurrent) * size.digits) / (100n * 10n ** BigInt(size.decimals)));
}
