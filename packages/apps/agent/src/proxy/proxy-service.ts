import { status } from '@grpc/grpc-js';
import { methodPaths } from '@nodecore/api';
import { forward, opaqueMethods, passedOnPath, type ProxiedCall } from '@nodecore/api/forward';
import { requestIdHeader, requestIdOf } from '@nodecore/api/handlers';
import { codeOf } from '@nodecore/sys';

import type { Log } from '../log.ts';
import { ServerError } from '../server/errors.ts';
import type { HandlerOptions } from '../server/handlers.ts';
import { hasKeys } from '../server/key-messages.ts';
import { callerHeader } from '../server/passed-on.ts';
import type { ServicePart } from '../server/service-part.ts';
import { statusOf } from '../server/status.ts';
import type { NodeSessions } from './node-sessions.ts';
import { targetOf } from './target.ts';

/** The API of every other node of the cluster: a call is passed on as it is, and with who calls. */
export function proxyService(
  { sessions, log }: { readonly sessions: Pick<NodeSessions, 'use'>; readonly log: Log },
  { callerOf, stopping }: HandlerOptions,
): ServicePart {
  const pass = async (path: string, call: ProxiedCall, gone: AbortSignal): Promise<void> => {
    const node = targetOf(call.metadata);
    const caller = callerOf(call);
    if (caller.via !== undefined)
      throw new ServerError('ERR_SERVER_REQUEST', 'node: a call that was passed on goes no further');
    const signal = AbortSignal.any([gone, stopping]);
    const headers = { ...callerHeader(caller), ...requestIdHeader(requestIdOf(call.metadata)) };
    const options = { signal, headers, wipes: hasKeys(path) };
    const end = await sessions.use({ node, caller: caller.identity, signal }, (session) =>
      forward(session, path, call, options),
    );
    if (end.code === status.OK) call.end(end.metadata);
    else call.emit('error', end);
  };
  const serve = (path: string) => (call: ProxiedCall) => {
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    call.on('cancelled', leave);
    call.on('close', leave);
    pass(path, call, gone.signal).catch((error: unknown) => {
      if (gone.signal.aborted) return;
      const cause = stopping.aborted ? stopping.reason : error;
      if (codeOf(cause) === undefined)
        log.error({ err: cause, path }, 'a call for another node failed without a code');
      call.emit('error', statusOf(cause));
    });
  };
  const handlers = methodPaths().map((path) => [passedOnPath(path), serve(path)] as const);
  return {
    definition: opaqueMethods(handlers.map(([path]) => path)),
    handlers: Object.fromEntries(handlers) as never,
  };
}
