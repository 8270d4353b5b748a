import { setImmediate } from 'node:timers/promises';

import type {
  ProcessesRequest,
  ProcessesResponseInit,
  ProcessInit,
  ProcessServiceHandlers,
} from '@nodecore/api/process';
import { type ProcessFacts, readProcesses, type Rows } from '@nodecore/native';
import { type Clock, systemClock } from '@nodecore/waiting';

import { redactedArguments, redactedUrls } from '../image/kernel-arguments.ts';
import { ServerError } from '../server/errors.ts';
import { type CallContext, type HandlerOptions, streaming } from '../server/handlers.ts';
import { askKernel } from './kernel-question.ts';

export type ProcessParts = {
  readonly read?: (signal: AbortSignal) => Promise<Pick<Rows<ProcessFacts>, 'length' | 'slice'>>;
  readonly clock?: Pick<Clock, 'sleep'>;
  /** Microseconds of the clock that the kernel stamps processes with. */
  readonly clockMicros?: () => bigint;
};

/** So many make a message of some tens of kilobytes, in less than a millisecond. */
const atOnce = 64;
/** Arguments may be long: a message ends with the process that passes this. */
const batchBytes = 256 << 10;
const [shortestMs, longestMs] = [100, 3_600_000];

/** What runs on the node, for callers. */
export function processHandlers(options: HandlerOptions, parts: ProcessParts = {}): ProcessServiceHandlers {
  const { read = (signal) => readProcesses({ signal }), clock = systemClock } = parts;
  const { clockMicros = () => process.hrtime.bigint() / 1000n } = parts;
  return {
    processes: streaming(
      options,
      async function* (
        { intervalMillis }: ProcessesRequest,
        { signal }: CallContext,
      ): AsyncGenerator<ProcessesResponseInit> {
        if (intervalMillis !== 0 && (intervalMillis < shortestMs || intervalMillis > longestMs))
          throw new ServerError('ERR_SERVER_REQUEST', `interval_millis: 0, or ${shortestMs} to ${longestMs}`);
        for (;;) {
          const begun = clockMicros();
          yield* sample(await askKernel(() => read(signal)), begun);
          if (intervalMillis === 0) return;
          const spentMs = Number((clockMicros() - begun) / 1000n);
          await clock.sleep(Math.max(0, intervalMillis - spentMs), signal);
        }
      },
    ),
  };
}

async function* sample(
  rows: Pick<Rows<ProcessFacts>, 'length' | 'slice'>,
  clockMicros: bigint,
): AsyncGenerator<ProcessesResponseInit> {
  let [batch, bytes]: [ProcessInit[], number] = [[], 0];
  for (let at = 0; at < rows.length; at += atOnce) {
    for (const facts of rows.slice(at, at + atOnce)) {
      batch.push(wireProcess(facts));
      bytes += facts.args.reduce((sum, arg) => sum + arg.length, facts.executable.length);
      if (bytes < batchBytes) continue;
      yield { processes: batch };
      [batch, bytes] = [[], 0];
    }
    if (at + atOnce >= rows.length) break;
    yield { processes: batch };
    [batch, bytes] = [[], 0];
    await setImmediate(); // other calls take their turn between messages
  }
  yield { processes: batch, complete: true, clockMicros };
}

function wireProcess(facts: ProcessFacts): ProcessInit {
  const { cpuSeconds, virtualBytes, residentBytes, startMicros, isKernelThread, args, ...same } = facts;
  // PID 1 is given what the kernel's command line has for it.
  const redacted = facts.pid === 1 ? redactedArguments : redactedUrls;
  return {
    ...same,
    args: args.map(redacted),
    cpuTime: cpuSeconds,
    virtualMemory: BigInt(virtualBytes),
    residentMemory: BigInt(Math.max(0, residentBytes)),
    startMicros: BigInt(startMicros),
    kernelThread: isKernelThread,
  };
}
