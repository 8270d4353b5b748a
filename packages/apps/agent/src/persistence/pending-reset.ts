import type { Inventory } from '@nodecore/block';
import { metaTag } from '@nodecore/meta';
import { codeOf } from '@nodecore/sys';
import { Backoff, type Clock, type Latest } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import type { Meta } from './meta.ts';
import type { StateDirectory } from './state-directory.ts';
import { awaitDisks } from './await-disks.ts';
import { PersistenceError } from './errors.ts';
import {
  machineDisks,
  missingFrom,
  requireUnused,
  type ResetEffects,
  type WipeNews,
  wipeRecorded,
} from './perform-reset.ts';
import { decodeReset, encodeReset, type ResetRecord } from './reset-record.ts';

/**
 * From here on the reset happens, whatever else does.
 *
 * @throws before, {BlockError} when something of it is in use; {PersistenceError} `ERR_STATE_DISK_MISSING` when a disk of it is not here:
 *   who asked would be told that it is wiped.
 */
export async function beginReset(
  meta: Meta,
  record: ResetRecord,
  inventory: Inventory,
  effects: ResetEffects = machineDisks,
): Promise<void> {
  const missing = missingFrom(inventory, record).join(', ');
  if (missing !== '')
    throw new PersistenceError(
      'ERR_STATE_DISK_MISSING',
      `${missing} is not here any more, or not the only one like it`,
    );
  await requireUnused(record, inventory, effects);
  await meta.set(metaTag.reset, encodeReset(record));
}

/** Does what the record in META says, and takes it out; nothing when there is none. */
export async function performReset(
  meta: Meta,
  inventory: Inventory,
  tell: (news: WipeNews) => void,
  effects: ResetEffects = machineDisks,
): Promise<void> {
  const record = decodeReset(meta.get(metaTag.reset));
  if (record?.stage !== 'wipe') return;
  await wipeRecorded(record, inventory, { effects, tell });
  if (record.wipesMeta) await forgetValues(meta);
  await meta.change(changesAfter(record, meta));
  // The other copy still says that disks are to be wiped, and would be believed when this one can't be read one day.
  await meta.rewrite();
}

/** Leaves the reset alone, in both copies: once it is gone, too, nobody would come back for what a crash has left of the others. */
async function forgetValues(meta: Meta): Promise<void> {
  const others = meta.tags.filter((tag) => tag !== metaTag.reset);
  await meta.change(new Map(others.map((tag) => [tag, undefined])));
  await meta.rewrite();
}

/** All at once: what META has to say must fit what is on the disks. */
function changesAfter(record: ResetRecord, meta: Meta): ReadonlyMap<number, Uint8Array | undefined> {
  if (record.wipesMeta) return new Map(meta.tags.map((tag) => [tag, undefined]));
  const remains = record.forget.length === 0 ? undefined : encodeReset({ ...record, stage: 'forget' });
  const wipesState = record.partitions.some(({ label }) => label === 'STATE');
  return new Map([
    [metaTag.reset, remains],
    ...(wipesState ? [[metaTag.stateEncryption, undefined] as const] : []),
  ]);
}

export type ResumingParts = {
  readonly inventory: Pick<Latest<Inventory>, 'changes' | 'value'>;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly effects?: ResetEffects;
};

/**
 * Completes a reset that was interrupted, with disks that are slow to appear. Yields why it can't be, each time, and tries again
 * until it is or the signal fires.
 */
export async function* resumeReset(
  meta: Meta,
  { inventory, log, clock, signal, effects }: ResumingParts,
): AsyncGenerator<{ readonly code: string; readonly reason: string }, void, undefined> {
  const backoff = new Backoff({ firstMs: 1000, largestMs: 60_000 });
  const tell = ({ name, state }: WipeNews): void => {
    if (state === 'done') log.info({ name }, 'reset: wiped');
    if (state === 'absent') log.warn({ name }, 'reset: it is not here any more, and was not wiped');
  };
  let waited = false;
  while (!signal.aborted) {
    try {
      const record = decodeReset(meta.get(metaTag.reset));
      if (record?.stage === 'wipe') {
        log.warn('a reset was interrupted: it goes on');
        if (!waited)
          for await (const missing of awaitDisks(record, { inventory, clock, signal }))
            yield {
              code: 'ERR_RESET_AWAITED',
              reason: `a reset waits some minutes for what it is to wipe: ${missing}`,
            };
        waited = true;
        if (signal.aborted) return;
      }
      await performReset(meta, inventory.value ?? { disks: [], volumes: [] }, tell, effects);
      return;
    } catch (error) {
      const reason = `a reset can not be completed: ${error instanceof Error ? error.message : String(error)}`;
      yield { code: codeOf(error) ?? 'none', reason };
      await clock.sleep(backoff.next(), signal).catch(() => {}); // the loop asks the signal
    }
  }
}

/** Volumes that went with a reset are made anew: STATE does not wait for them to come back. */
export async function forgetWiped(meta: Meta | undefined, { intents }: StateDirectory): Promise<void> {
  const record = decodeReset(meta?.get(metaTag.reset));
  if (record?.stage !== 'forget') return;
  for (const id of record.forget) await intents.remove(id);
  await meta?.set(metaTag.reset, undefined);
}
