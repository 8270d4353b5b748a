import { type Bank, banks, normalizePcrs, registers } from './banks.ts';
import { typeName, typeNumber } from './event-log/event-types.ts';
import type { EventLog } from './event-log/parse.ts';
import { replay } from './event-log/replay.ts';
import { type EventSummary, summaries } from './event-log/summary.ts';
import { printable } from './event-log/text.ts';

/** What the machine had measured at one time: register values of one bank, and the events behind them. */
export type Measured = {
  readonly values: ReadonlyMap<number, Uint8Array>;
  /** All events of a register, or none. */
  readonly events: readonly EventSummary[];
};

/** `v`: values in base64url by register; `e`: events by register, each type (hexadecimal), digest, subject. */
export type MeasuredJson = {
  readonly v: Readonly<Record<string, string>>;
  readonly e: Readonly<Record<string, readonly (readonly [string, string, string])[]>>;
};

/** LUKS2 tokens share 12 KiB with the keyslots. */
const largestJson = 1536;

/** Of the values of a bank that secrets are bound to. */
const sizes: ReadonlySet<number> = new Set([
  banks.sha256.sizeBytes,
  banks.sha384.sizeBytes,
  banks.sha512.sizeBytes,
]);
const longestValue = 88;

/** The values, with the events of those registers that the log accounts for: others would mislead. */
export function measuredFrom(
  values: ReadonlyMap<number, Uint8Array>,
  log: EventLog | undefined,
  bank: Bank = 'sha256',
): Measured {
  if (log === undefined) return { values, events: [] };
  const replayed = replay(log, bank);
  const events = summaries(log).filter(({ pcr }) => {
    const value = values.get(pcr);
    const logged = replayed.get(pcr);
    return value !== undefined && logged !== undefined && Buffer.compare(value, logged) === 0;
  });
  return { values, events };
}

/** At most 1.5 KiB of JSON: while it is more, the events of the register that has most of them are left out. */
export function measuredToJson(measured: Measured): MeasuredJson {
  const v = Object.fromEntries(
    normalizePcrs([...measured.values.keys()]).map((pcr) => [
      String(pcr),
      Buffer.from(measured.values.get(pcr) ?? []).toString('base64url'),
    ]),
  );
  const e: Record<string, readonly (readonly [string, string, string])[]> = {};
  for (const { pcr, type, digest, what } of measured.events) {
    const number = typeNumber(type);
    if (number === undefined) continue;
    e[pcr] = [...(e[pcr] ?? []), [number.toString(16), digest, printable(what)]];
  }
  while (JSON.stringify({ v, e }).length > largestJson && Object.keys(e).length > 0) {
    const sizes = Object.entries(e).sort(
      ([, a], [, b]) => JSON.stringify(b).length - JSON.stringify(a).length,
    );
    delete e[sizes[0]?.[0] ?? ''];
  }
  return { v, e };
}

/**
 * Reads what {@link measuredToJson} wrote. Undefined for anything else: it explains, nothing rests on it, and damage to it must
 * not keep a volume closed.
 */
export function measuredFromJson(json: unknown): Measured | undefined {
  if (!isRecord(json) || !isRecord(json['v']) || !isRecord(json['e'])) return undefined;
  const values = new Map<number, Uint8Array>();
  for (const [key, text] of Object.entries(json['v'])) {
    const pcr = register(key);
    const value =
      typeof text === 'string' ? Buffer.from(text.slice(0, longestValue), 'base64url') : undefined;
    if (pcr === undefined || value === undefined || !sizes.has(value.length)) return undefined;
    values.set(pcr, value);
  }
  const events: EventSummary[] = [];
  for (const [key, list] of Object.entries(json['e'])) {
    const pcr = register(key);
    if (pcr === undefined || !Array.isArray(list) || list.length > 128) return undefined;
    for (const entry of list as readonly unknown[]) {
      const event = eventFrom(pcr, entry);
      if (event === undefined) return undefined;
      events.push(event);
    }
  }
  return { values, events };
}

function eventFrom(pcr: number, entry: unknown): EventSummary | undefined {
  if (!Array.isArray(entry) || entry.length !== 3) return undefined;
  const [type, digest, what] = entry as readonly unknown[];
  if (typeof type !== 'string' || !/^[0-9a-f]{1,8}$/.test(type)) return undefined;
  if (typeof digest !== 'string' || !/^(?:[0-9a-f]{2}){0,8}$/.test(digest)) return undefined;
  if (typeof what !== 'string' || what !== printable(what)) return undefined;
  return { pcr, type: typeName(Number.parseInt(type, 16)), digest, what };
}

function register(key: string): number | undefined {
  return /^(?:\d|1\d|2\d)$/.test(key) && Number(key) < registers ? Number(key) : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
