import {
  type StorageServiceHandlers,
  WipeMethod,
  type WipeRequest,
  type WipeResponseInit,
  WipeState,
  type WipeVolumesRequest,
} from '@nodecore/api/storage';
import { codeOf } from '@nodecore/sys';

import type { WipeEvent } from './wipe-event.ts';
import type { Wipes } from './wipes.ts';
import { audited, type Note } from '../server/audit.ts';
import { ServerError } from '../server/errors.ts';
import { type CallContext, type HandlerOptions, streaming } from '../server/handlers.ts';

/** Wipes of devices and volumes. Each leaves a line that says who asked, and one that says how it ended. */
export function wipeHandlers(
  wipes: Pick<Wipes, 'request' | 'requestVolumes'>,
  options: HandlerOptions,
): Pick<StorageServiceHandlers, 'wipe' | 'wipeVolumes'> {
  return {
    wipe: streaming(
      options,
      async function* (
        { devices, identities, method, dropPartition, dryRun }: WipeRequest,
        context: CallContext,
      ): AsyncGenerator<WipeResponseInit> {
        const order = { devices, method: methodOf(method), dropPartition, dryRun };
        const note = audited(options.log, context, { action: 'wipe', ...order });
        yield* told(wipes.request({ ...order, identities }, context.signal), note);
      },
    ),

    wipeVolumes: streaming(
      options,
      async function* (
        { volumes, method, dryRun }: WipeVolumesRequest,
        context: CallContext,
      ): AsyncGenerator<WipeResponseInit> {
        const order = { volumes, method: methodOf(method), dryRun };
        const note = audited(options.log, context, { action: 'wipe-volumes', ...order });
        yield* told(wipes.requestVolumes(order, context.signal), note);
      },
    ),
  };
}

/** An unknown one is not taken for the default: a newer client may have asked for something more thorough. */
function methodOf(method: WipeMethod): 'fast' | 'zeroes' {
  if (method === WipeMethod.FAST) return 'fast';
  if (method === WipeMethod.ZEROES) return 'zeroes';
  throw new ServerError('ERR_SERVER_REQUEST', `the node knows no wipe method ${String(method)}`);
}

async function* told(events: AsyncIterable<WipeEvent>, note: Note): AsyncGenerator<WipeResponseInit> {
  const results: Record<string, string> = {};
  let code: string | undefined = 'ABORTED';
  try {
    for await (const event of events) {
      results[event.device] = event.code ?? event.state;
      yield response(event);
    }
    code = undefined;
  } catch (error) {
    code = codeOf(error) ?? 'none';
    throw error;
  } finally {
    note.end(code === undefined ? 'done' : 'failed', code, { results: JSON.stringify(results) });
  }
}

const states: Readonly<Record<WipeEvent['state'], WipeState>> = {
  planned: WipeState.PLANNED,
  running: WipeState.RUNNING,
  done: WipeState.DONE,
  failed: WipeState.FAILED,
};

function response({ state, message = '', code = '', ...facts }: WipeEvent): WipeResponseInit {
  return { ...facts, state: states[state], message, code };
}
