import type { Permanence } from '@nodecore/trim';

/** Why a trim was begun. */
export type TrimTrigger = 'slot' | 'missed' | 'request';

/** The last trim of a volume. Times are milliseconds since the epoch. */
export type LastTrim = {
  readonly trigger: TrimTrigger;
  readonly startedMs: number;
  /** `interrupted`: the agent ended in the middle. `aborted`: who asked for it took that back. */
  readonly outcome: 'running' | 'done' | 'failed' | 'aborted' | 'interrupted';
  readonly durationMs: number;
  readonly pausedMs: number;
  readonly ranges: number;
  readonly trimmedBytes: bigint;
  readonly code?: string;
  readonly message?: string;
  readonly permanence?: Permanence;
};

/** What the schedule of a volume has to remember over a reboot. */
export type TrimRecord = {
  /** Slots up to here are done with. */
  readonly handledMs: number;
  /** When a missed slot is to be caught up. */
  readonly catchUpMs?: number;
  /** Trims begun since the last one that ended. Counted before a trim begins: one that brings the node down ends no more. */
  readonly attempts: number;
  readonly last?: LastTrim;
};

/** A trim that never ended this often waits for its next slot. */
const maxAttempts = 3;

/** A record as the next run of the agent takes it up. */
export function taken(record: TrimRecord, nowMs: number): TrimRecord {
  const { last, attempts } = record;
  // The clock may have been ahead of the truth.
  const handledMs = attempts >= maxAttempts ? nowMs : Math.min(record.handledMs, nowMs);
  return {
    ...record,
    handledMs,
    attempts: attempts >= maxAttempts ? 0 : attempts,
    ...(last?.outcome === 'running' && { last: { ...last, outcome: 'interrupted' } }),
  };
}

/** JSON by the ids of volumes, bytes as decimal strings; {@link decodeRecords} reads it. */
export function encodeRecords(records: ReadonlyMap<string, TrimRecord>): string {
  return `${JSON.stringify(Object.fromEntries(records), decimal, 2)}\n`;
}

function decimal(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** Leaves out what is no record; nothing but the moment of a trim is lost with it. */
export function decodeRecords(text: string): ReadonlyMap<string, TrimRecord> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(
    Object.entries(value).flatMap(([id, each]) => (isRecord(each) ? [[id, revived(each)]] : [])),
  );
}

function revived(record: TrimRecord): TrimRecord {
  const { last } = record;
  if (last === undefined) return record;
  return { ...record, last: { ...last, trimmedBytes: BigInt(String(last.trimmedBytes)) } };
}

function isRecord(value: unknown): value is TrimRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { handledMs, catchUpMs, attempts, last } = value as Partial<TrimRecord>;
  const numbers = [handledMs, attempts, catchUpMs ?? 0];
  if (!numbers.every((number) => Number.isSafeInteger(number))) return false;
  if (last === undefined) return true;
  return Number.isSafeInteger(last.startedMs) && /^\d+$/.test(String(last.trimmedBytes));
}
