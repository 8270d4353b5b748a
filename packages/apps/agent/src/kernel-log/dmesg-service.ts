import type { DmesgRequest, DmesgResponseInit, KernelLogServiceHandlers } from '@nodecore/api/kernel-log';
import type { KernelRecord } from '@nodecore/host';

import { ServerError } from '../server/errors.ts';
import { type CallContext, type HandlerOptions, streaming } from '../server/handlers.ts';
import { kernelRecords, type RecordsOptions } from './kernel-records.ts';
import { redactedMessage } from './redact.ts';

export type DmesgParts = {
  readonly bootId: string;
  /** Microseconds of the clock that stamps records: CLOCK_MONOTONIC. */
  readonly clockMicros?: () => number;
  readonly now?: () => number;
  readonly records?: (options: RecordsOptions) => ReturnType<typeof kernelRecords>;
};

const priorities = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'] as const;

/** The kernel's log for callers. */
export function dmesgHandlers(parts: DmesgParts, options: HandlerOptions): KernelLogServiceHandlers {
  const { bootId, records: read = kernelRecords, clockMicros = monotonicMicros, now = Date.now } = parts;
  return {
    dmesg: streaming(
      options,
      async function* (request: DmesgRequest, { signal }: CallContext): AsyncGenerator<DmesgResponseInit> {
        const after = placeOf(request, bootId);
        const isWanted = filterOf(request, after, clockMicros());
        const bootMs = now() - clockMicros() / 1000;
        let [told, last]: [number, number] = [-1, -1];
        for await (const { records, lost, isAll } of read({ signal, follow: request.follow, after })) {
          const wanted = records.filter(isWanted).map((record) => wireRecord(record, bootMs));
          last = records.at(-1)?.sequence ?? last;
          // What is left out is told, too, once: a caller that comes back shall not get it.
          const isNews = wanted.length > 0 || lost > 0 || (isAll && last !== told);
          if (!isNews) continue;
          told = last;
          const place = last < 0 ? {} : { lastSequence: BigInt(last) };
          yield { bootId, records: wanted, lost: BigInt(lost), ...place };
        }
      },
    ),
  };
}

/** The record behind which a caller goes on. Numbers of another boot mean other records. */
function placeOf({ bootId, afterSequence }: DmesgRequest, present: string): number | undefined {
  return bootId === present && afterSequence !== undefined ? Number(afterSequence) : undefined;
}

/** @throws {ServerError} `ERR_SERVER_REQUEST` for words that are no priorities. */
function filterOf(
  request: DmesgRequest,
  after: number | undefined,
  nowMicros: number,
): (record: KernelRecord) => boolean {
  const { tail, sinceSeconds, priorities: wanted } = request;
  const unknown = wanted.find((word) => !(priorities as readonly string[]).includes(word));
  if (unknown !== undefined)
    throw new ServerError(
      'ERR_SERVER_REQUEST',
      `priorities: ${JSON.stringify(unknown)} is none of ${priorities.join(', ')}`,
    );
  const sinceMicros = sinceSeconds === 0 ? 0 : nowMicros - sinceSeconds * 1e6;
  const fromMicros = tail ? nowMicros : sinceMicros;
  const isGoingOn = request.bootId !== '';
  return ({ sequence, clockMicros, priority }) =>
    sequence > (after ?? -1) &&
    (isGoingOn || clockMicros >= fromMicros) &&
    (wanted.length === 0 || wanted.includes(priority));
}

function wireRecord({ sequence, clockMicros, facility, priority, message }: KernelRecord, bootMs: number) {
  return {
    sequence: BigInt(sequence),
    clockMicros: BigInt(clockMicros),
    timeMicros: BigInt(Math.round(bootMs * 1000 + clockMicros)),
    facility,
    priority,
    message: redactedMessage(message),
  };
}

function monotonicMicros(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
