import {
  type ResetRequest,
  type ResetResponseInit,
  ResetMode,
  ResetStep,
  type StorageServiceHandlers,
} from '@nodecore/api/storage';
import { codeOf } from '@nodecore/sys';

import type { ResetMode as Mode } from './plan.ts';
import type { ResetEvent, Resets } from './resets.ts';
import { audited, type Note } from '../server/audit.ts';
import { ServerError } from '../server/errors.ts';
import { type CallContext, type HandlerOptions, streaming } from '../server/handlers.ts';

/** Resets of the node. Each leaves a line that says who asked, and one that says how it ended. */
export function resetHandler(
  resets: Pick<Resets, 'request'>,
  options: HandlerOptions,
): StorageServiceHandlers['reset'] {
  return streaming(
    options,
    async function* (request: ResetRequest, context: CallContext): AsyncGenerator<ResetResponseInit> {
      const { graceful, reboot, systemLabels: labels, userDisks, dryRun, digest } = request;
      const order = { graceful, reboot, mode: modeOf(request.mode), labels, userDisks, dryRun };
      const note = audited(options.log, context, { action: 'reset', ...order });
      yield* told(resets.request({ ...order, digest }), note);
    },
  );
}

/** A caller that goes before the end learns no more; the reset goes on, and the log says how the agent ended. */
async function* told(events: AsyncIterable<ResetEvent>, note: Note): AsyncGenerator<ResetResponseInit> {
  let code: string | undefined = 'ABORTED';
  try {
    let failed: string | undefined;
    for await (const event of events) {
      failed = event.code;
      yield response(event);
    }
    code = failed;
  } catch (error) {
    code = codeOf(error) ?? 'none';
    throw error;
  } finally {
    note.end(code === undefined ? 'done' : 'failed', code);
  }
}

const modes: ReadonlyMap<ResetMode, Mode> = new Map([
  [ResetMode.ALL, 'all'],
  [ResetMode.SYSTEM_DISK, 'system-disk'],
  [ResetMode.USER_DISKS, 'user-disks'],
]);

/** An unknown one is not taken for another: a newer client may have asked for less. */
function modeOf(mode: ResetMode): Mode {
  const known = modes.get(mode);
  if (known !== undefined) return known;
  throw new ServerError('ERR_SERVER_REQUEST', `the node knows no reset mode ${String(mode)}`);
}

const steps: Readonly<Record<ResetEvent['step'], ResetStep>> = {
  planned: ResetStep.PLANNED,
  leaving: ResetStep.LEAVING,
  closing: ResetStep.CLOSING,
  wiping: ResetStep.WIPING,
  done: ResetStep.DONE,
  failed: ResetStep.FAILED,
};

function response({ step, ...facts }: ResetEvent): ResetResponseInit {
  return { ...facts, step: steps[step] };
}
