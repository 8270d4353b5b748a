import type { CpuProfileRequest, InspectServiceHandlers, ProfileResponseInit } from '@nodecore/api/inspect';

import type { Log } from '../log.ts';
import { audited } from '../server/audit.ts';
import { type CallContext, type HandlerOptions, streamingLarge } from '../server/handlers.ts';
import type { Taken } from './cpu-profile.ts';
import type { Profiles } from './profiles.ts';

/** The agent as its developers see it, for callers. Who has asked is in the audit trail, and what it cost the node. */
export function profileHandlers(
  profiles: Profiles,
  log: Log,
  options: HandlerOptions,
): Pick<InspectServiceHandlers, 'cpuProfile' | 'heapSnapshot'> {
  return {
    cpuProfile: streamingLarge(options, ({ durationMillis }: CpuProfileRequest, context: CallContext) => {
      const note = audited(log, context, { action: 'cpu-profile', durationMs: durationMillis });
      return answers(profiles.cpu(durationMillis, context.signal), note);
    }),

    heapSnapshot: streamingLarge(options, (_request: object, context: CallContext) => {
      log.warn(
        { requestId: context.requestId },
        'a heap snapshot begins: the agent does nothing else meanwhile',
      );
      return answers(profiles.heap(), audited(log, context, { action: 'heap-snapshot' }));
    }),
  };
}

async function* answers(
  taken: AsyncIterable<Taken>,
  note: ReturnType<typeof audited>,
): AsyncGenerator<ProfileResponseInit, void, undefined> {
  let pauseMillis = 0;
  for await (const { bytes, pauseMs } of note.over(taken, () => ({ pauseMs: String(pauseMillis) }))) {
    pauseMillis = Math.ceil(pauseMs);
    yield { data: bytes, pauseMillis };
  }
}
