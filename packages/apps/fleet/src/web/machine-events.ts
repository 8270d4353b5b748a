import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { includesRole, machines, machineStatuses } from '@nodecore/fleet-api';
import type { Json, State, StateEvent } from '@nodecore/state';

import { answer, safeHeaders, sessionOf } from './headers.ts';
import type { Sessions } from './sessions.ts';

/** A quiet stream says so: proxies do not take it for dead, and a session that has ended is seen. */
const quietMs = 15_000;

/** What a page is told of a machine. Both kinds of resources of a machine have its id. */
type Told = { readonly kind: 'machine' | 'status'; readonly id: string; readonly spec: Json | null };

/**
 * The machines as they are, and then every change, as server-sent events: each a list of changes; `spec` null for what is gone. It ends
 * with the session.
 */
export async function sendMachineEvents(
  {
    state,
    sessions,
    closing,
  }: { readonly state: State; readonly sessions: Sessions; readonly closing: AbortSignal },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const session = sessionOf(request);
  const mayRead = async (): Promise<boolean> => {
    const caller = await sessions.callerOf(session);
    return caller !== undefined && includesRole(caller.role, machines.readers);
  };
  if (!(await mayRead())) return answer(response, 401, 'sign in');
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, closing]);
  response.writeHead(200, {
    ...safeHeaders,
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
  });
  const quiet = setInterval(() => {
    void mayRead().then((may) => (may ? response.write(': still here\n\n') : response.end()));
  }, quietMs);
  const send = async (kind: Told['kind'], events: AsyncIterable<readonly StateEvent[]>): Promise<void> => {
    for await (const batch of events) {
      if (!(await mayRead())) break;
      const told = batch.flatMap((event) => toldOf(kind, event));
      if (told.length > 0 && !response.write(`data: ${JSON.stringify(told)}\n\n`))
        await once(response, 'drain', { signal });
    }
    gone.abort();
  };
  try {
    await Promise.all(
      (
        [
          ['machine', machines],
          ['status', machineStatuses],
        ] as const
      ).map(async ([kind, definition]) => {
        const { type, defaultNamespace: namespace } = definition;
        await send(kind, state.watch({ kind: { type, namespace }, bootstrap: true }, signal));
      }),
    );
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    clearInterval(quiet);
    response.end(); // the page asks again
  }
}

function toldOf(kind: Told['kind'], event: StateEvent): Told[] {
  if (event.type === 'bootstrapped') return [];
  const { metadata, spec } = event.resource;
  return [{ kind, id: metadata.id, spec: event.type === 'destroyed' ? null : spec }];
}
