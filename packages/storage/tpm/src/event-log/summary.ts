import { registers } from '../banks.ts';
import { describe } from './describe.ts';
import { eventType, typeName } from './event-types.ts';
import { bankOfLog, type EventLog } from './parse.ts';

/** One event of the firmware's log, short enough to keep beside a key. */
export type EventSummary = {
  readonly pcr: number;
  /** The event's type as the log has it, without `EV_`: `EFI_VARIABLE_DRIVER_CONFIG`. */
  readonly type: string;
  /** The first 8 bytes of the digest, in hexadecimal. */
  readonly digest: string;
  /** What it is about, at most 40 characters: `SecureBoot`, `db`, `\EFI\BOOT\BOOTX64.EFI`. */
  readonly what: string;
};

/** The events that changed registers, each in a line. */
export function summaries(log: EventLog): readonly EventSummary[] {
  const bank = bankOfLog(log) ?? 'sha256';
  return log.events
    .filter(({ type, pcr }) => type !== eventType.NO_ACTION && pcr < registers)
    .map((event) => ({
      pcr: event.pcr,
      type: typeName(event.type),
      digest: Buffer.from(event.digests.get(bank)?.subarray(0, 8) ?? []).toString('hex'),
      what: describe(event),
    }));
}
