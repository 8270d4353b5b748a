import { type Bank, bankNames, bankOf, banks } from '../banks.ts';
import { TpmError } from '../errors.ts';
import { eventType } from './event-types.ts';
import { CutShort, LittleEndian } from './little-endian.ts';

/** One thing that was measured into a register. Bytes are views of what was parsed. */
export type Event = {
  readonly pcr: number;
  /** Number of its type; see `typeName`. */
  readonly type: number;
  /** Digests by bank, as far as they are of banks that we know. */
  readonly digests: ReadonlyMap<Bank, Uint8Array>;
  readonly data: Uint8Array;
};

/** What the firmware and the boot loader measured, in the order in which they did. */
export type EventLog = {
  /** `sha1`: the first format, SHA-1 only; `agile`: with a digest per bank. */
  readonly format: 'sha1' | 'agile';
  readonly events: readonly Event[];
  /** From where the measurements were started; register 0 starts with it. */
  readonly startupLocality: number;
};

const specId = Buffer.from('Spec ID Event03\0', 'latin1');
const startupLocality = Buffer.from('StartupLocality\0', 'latin1');

/** More algorithms than there are banks in any TPM mean that what is read is no log. */
const maxAlgorithms = 16;

/**
 * Reads a log in either of its formats (TCG PC Client Platform Firmware Profile, 10.2). Bytes of zero or 0xff behind the last
 * event are what firmware fills up with.
 *
 * @throws {TpmError} `ERR_TPM_EVENT_LOG`
 */
export function parseEventLog(bytes: Uint8Array): EventLog {
  const reader = new LittleEndian(bytes);
  let start = 0;
  try {
    if (bytes.length === 0) return { format: 'sha1', events: [], startupLocality: 0 };
    const first = sha1Event(reader);
    const sizes = first.type === eventType.NO_ACTION && first.pcr === 0 ? digestSizes(first.data) : undefined;
    const next = sizes === undefined ? sha1Event : (from: LittleEndian): Event => agileEvent(from, sizes);
    const events = [first];
    for (start = reader.position; reader.left > 0; start = reader.position) {
      if (isPadding(bytes.subarray(start))) break;
      events.push(next(reader));
    }
    return {
      format: sizes === undefined ? 'sha1' : 'agile',
      events,
      startupLocality: localityOf(events),
    };
  } catch (cause) {
    if (!(cause instanceof CutShort)) throw cause;
    throw damaged(start, 'is cut short');
  }
}

/** TCG_PCR_EVENT */
function sha1Event(reader: LittleEndian): Event {
  const pcr = reader.u32();
  const type = reader.u32();
  const digest = reader.bytes(banks.sha1.sizeBytes);
  return { pcr, type, digests: new Map([['sha1', digest]]), data: reader.bytes(reader.u32()) };
}

/** TCG_PCR_EVENT2 */
function agileEvent(reader: LittleEndian, sizes: ReadonlyMap<number, number>): Event {
  const start = reader.position;
  const pcr = reader.u32();
  const type = reader.u32();
  const count = reader.u32();
  if (count > maxAlgorithms) throw damaged(start, `has ${count} digests`);
  const digests = new Map<Bank, Uint8Array>();
  for (let n = 0; n < count; n += 1) {
    const algorithm = reader.u16();
    const size = sizes.get(algorithm);
    if (size === undefined) throw damaged(start, `has a digest of algorithm 0x${algorithm.toString(16)}`);
    const bank = bankOf(algorithm);
    const digest = reader.bytes(size);
    if (bank !== undefined) digests.set(bank, digest);
  }
  return { pcr, type, digests, data: reader.bytes(reader.u32()) };
}

/** Sizes of digests by algorithm from a TCG_EfiSpecIdEvent; undefined when it is something else. */
function digestSizes(data: Uint8Array): ReadonlyMap<number, number> | undefined {
  if (!startsWith(data, specId)) return undefined;
  const reader = new LittleEndian(data.subarray(specId.length));
  reader.bytes(8); // platform class, version, errata, size of a word
  const count = reader.u32();
  if (count === 0 || count > maxAlgorithms) throw damaged(0, `announces ${count} algorithms`);
  const sizes = new Map<number, number>();
  for (let n = 0; n < count; n += 1) {
    const algorithm = reader.u16();
    const size = reader.u16();
    const bank = bankOf(algorithm);
    if (size === 0 || size > 64 || (bank !== undefined && size !== banks[bank].sizeBytes)) {
      throw damaged(0, `announces digests of ${size} bytes for algorithm 0x${algorithm.toString(16)}`);
    }
    sizes.set(algorithm, size);
  }
  return sizes;
}

function localityOf(events: readonly Event[]): number {
  const event = events.find(({ type, pcr, data }) => {
    return type === eventType.NO_ACTION && pcr === 0 && startsWith(data, startupLocality);
  });
  return event?.data[startupLocality.length] ?? 0;
}

function startsWith(data: Uint8Array, prefix: Uint8Array): boolean {
  return data.length >= prefix.length && prefix.every((byte, at) => data[at] === byte);
}

/** Enough to tell: the first record of nothing but zeros, or of nothing but 0xff. */
function isPadding(rest: Uint8Array): boolean {
  const head = rest.subarray(0, 32);
  return head.every((byte) => byte === 0) || head.every((byte) => byte === 0xff);
}

function damaged(at: number, what: string): TpmError {
  return new TpmError('ERR_TPM_EVENT_LOG', `the event log is damaged: the event at byte ${at} ${what}`);
}

/** The bank of which every event has a digest, the strongest of the usual first. */
export function bankOfLog({ events }: EventLog): Bank | undefined {
  const preferred: readonly Bank[] = ['sha256', ...bankNames];
  return preferred.find((bank) =>
    events.every(({ type, digests }) => type === eventType.NO_ACTION || digests.has(bank)),
  );
}
