import type { KernelRecord } from '@nodecore/host';

import { kernelRecords } from '../kernel-log/kernel-records.ts';
import { redactedMessage } from '../kernel-log/redact.ts';
import type { LogRing } from '../link/log-ring.ts';
import type { LogSource } from './system-log.ts';

export type SourceParts = {
  /** The machine is the node's own: what the agent and PID 1 say is in the kernel's log. */
  readonly isOwnMachine: boolean;
  /** What the agent says elsewhere. */
  readonly lines?: Pick<LogRing, 'batches'> | undefined;
  readonly records?: typeof kernelRecords;
  /** When the monotonic clock was 0, since 1970. */
  readonly bootMs?: () => number;
};

/** A record belongs to a log as this text; undefined: to another one. */
type Chooser = (record: KernelRecord) => string | undefined;

const saidBy = (writer: string): Chooser => {
  const prefix = `${writer}: `;
  return ({ facility, message }) =>
    facility !== 'kern' && message.startsWith(prefix) ? message.slice(prefix.length) : undefined;
};
const kernel: Chooser = ({ facility, message }) => (facility === 'kern' ? message : undefined);
const agent = saidBy('nodecore');
const ofController = / controller=/u;
const controllers: Chooser = (record) => {
  const text = agent(record);
  return text !== undefined && ofController.test(text) ? text : undefined;
};

/** The logs of the system itself, by id. */
export function systemLogSources(parts: SourceParts): ReadonlyMap<string, LogSource> {
  const { isOwnMachine, lines } = parts;
  const sources = new Map([['kernel', fromKernel(kernel, parts)]]);
  if (isOwnMachine) {
    sources.set('agent', fromKernel(agent, parts));
    sources.set('controller-runtime', fromKernel(controllers, parts));
    sources.set('init', fromKernel(saidBy('init'), parts));
  } else if (lines !== undefined) {
    sources.set('agent', (options) => lines.batches(options));
    sources.set('controller-runtime', async function* (options) {
      for await (const batch of lines.batches(options))
        yield {
          ...batch,
          lines: batch.lines.filter(({ text }) => text.includes('"controller":')),
          last: batch.lines.at(-1)?.number,
        };
    });
  }
  return sources;
}

function fromKernel(
  pick: Chooser,
  { records = kernelRecords, bootMs = bootMillis }: Pick<SourceParts, 'records' | 'bootMs'>,
): LogSource {
  return async function* (options) {
    const beganMs = bootMs();
    for await (const { records: found, lost, isAll } of records(options)) {
      const lines = found.flatMap((record) => {
        const text = pick(record);
        if (text === undefined) return [];
        const time = new Date(beganMs + record.clockMicros / 1000).toISOString();
        return [{ number: record.sequence, text: `${time} ${record.priority} ${redactedMessage(text)}` }];
      });
      yield { lines, lost, isAll, last: found.at(-1)?.sequence };
    }
  };
}

function bootMillis(): number {
  return Date.now() - Number(process.hrtime.bigint() / 1_000_000n);
}
