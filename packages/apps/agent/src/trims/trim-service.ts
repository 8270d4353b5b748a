import {
  type TrimRequest,
  type TrimResponseInit,
  type TrimServiceHandlers,
  TrimState,
} from '@nodecore/api/trim';

import type { TrimEvent } from './trim-event.ts';
import type { Trims } from './trims.ts';
import { audited, type Note } from '../server/audit.ts';
import { type CallContext, type HandlerOptions, streaming } from '../server/handlers.ts';

/** Trims on demand. Each leaves a line that says who asked, and one that says how each volume's ended. */
export function trimService(trims: Pick<Trims, 'request'>, options: HandlerOptions): TrimServiceHandlers {
  return {
    trim: streaming(
      options,
      async function* (
        { volumes, dryRun }: TrimRequest,
        context: CallContext,
      ): AsyncGenerator<TrimResponseInit> {
        const events = trims.request(volumes, { dryRun, signal: context.signal });
        const note = audited(options.log, context, { action: 'trim', volumes, dryRun });
        yield* told(events, note);
      },
    ),
  };
}

async function* told(events: AsyncIterable<TrimEvent>, note: Note): AsyncGenerator<TrimResponseInit> {
  const results: Record<string, string> = {};
  let isWhole = false;
  try {
    for await (const event of events) {
      const { volume, state, code } = event;
      results[volume] = code ?? state;
      yield response(event);
    }
    isWhole = true;
  } finally {
    note.end(isWhole ? 'done' : 'failed', isWhole ? undefined : 'none', { results: JSON.stringify(results) });
  }
}

const states: Readonly<Record<TrimEvent['state'], TrimState>> = {
  planned: TrimState.PLANNED,
  queued: TrimState.QUEUED,
  trimming: TrimState.RUNNING,
  paused: TrimState.PAUSED,
  done: TrimState.DONE,
  skipped: TrimState.SKIPPED,
  failed: TrimState.FAILED,
};

function response({
  volume,
  state,
  disks,
  progress,
  durationMs,
  message,
  code,
  permanence,
}: TrimEvent): TrimResponseInit {
  return {
    volume,
    state: states[state],
    disks,
    message,
    ...(progress !== undefined && {
      doneBytes: progress.doneBytes,
      totalBytes: progress.totalBytes,
      trimmedBytes: progress.trimmedBytes,
      ranges: progress.ranges,
      pausedMillis: BigInt(Math.round(progress.pausedMs)),
    }),
    ...(durationMs !== undefined && { durationMillis: BigInt(Math.round(durationMs)) }),
    ...(code !== undefined && { code }),
    ...(permanence !== undefined && { permanence }),
  };
}
