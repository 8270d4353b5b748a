import { readFile } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

import type { Bank } from './banks.ts';
import { TpmError } from './errors.ts';
import { type Change, explain } from './event-log/explain.ts';
import { type EventLog, parseEventLog } from './event-log/parse.ts';
import { replay } from './event-log/replay.ts';
import type { Measured } from './measured.ts';

/** The log of the first TPM's firmware, from securityfs. Only root may read it. */
export const kernelEventLog = '/sys/kernel/security/tpm0/binary_bios_measurements';

/** What the firmware and the boot loader measured, and what follows from it for a change. */
export const eventLog: {
  /** Reads and parses the kernel's copy of the log, or another file. @throws {TpmError} `ERR_TPM_EVENT_LOG` */
  readonly read: (path?: string) => Promise<EventLog>;
  readonly parse: (bytes: Uint8Array) => EventLog;
  readonly replay: (log: EventLog, bank?: Bank) => Map<number, Uint8Array>;
  readonly explain: (then: Measured, now: EventLog, pcrs: readonly number[]) => readonly Change[];
} = {
  read: async (path = kernelEventLog) => parseEventLog(await bytesOf(path)),
  parse: parseEventLog,
  replay,
  explain,
};

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    const why = codeOf(cause) ?? String(cause);
    throw new TpmError('ERR_TPM_EVENT_LOG', `the event log ${path} can't be read: ${why}`, { cause });
  }
}
