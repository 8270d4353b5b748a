import type { handleServerStreamingCall, handleUnaryCall, Metadata } from '@grpc/grpc-js';
import { type HandlerParts, requestIdOf, streamingHandler, unaryHandler } from '@nodecore/api/handlers';

import type { Caller } from '../access/caller.ts';
import type { Log } from '../log.ts';
import { statusOf } from './status.ts';

/** What a method gets beside its request. */
export type CallContext = {
  readonly caller: Caller;
  /** Address and port, for the log. */
  readonly peer: string;
  /** Fires when the caller has gone, its deadline is over, or the fleet manager ends. */
  readonly signal: AbortSignal;
};

/** What handlers are made with. */
export type HandlerOptions = {
  readonly log: Log;
  /** Who signed a call that the guard has let pass, by the metadata that the handler's call has. */
  readonly callerOf: (call: { readonly metadata: Metadata }) => Caller;
  /** Ends streams that would never end by themselves; its reason is their error. */
  readonly stopping: AbortSignal;
};

/** A method with one answer. */
export function unary<Request, Response>(
  options: HandlerOptions,
  method: (request: Request, context: CallContext) => Promise<Response>,
): handleUnaryCall<Request, Response> {
  return unaryHandler(partsOf(options), method);
}

/** A method with many answers, written no faster than the caller reads them. */
export function streaming<Request, Response>(
  options: HandlerOptions,
  method: (request: Request, context: CallContext) => AsyncIterable<Response>,
): handleServerStreamingCall<Request, Response> {
  return streamingHandler(partsOf(options), method);
}

/** A call that failed without a code is a defect of ours: the log has it, the caller not. */
function partsOf({ log, callerOf, stopping }: HandlerOptions): HandlerParts<CallContext> {
  return {
    contextOf: (call, gone) => ({
      caller: callerOf(call),
      peer: call.getPeer(),
      signal: AbortSignal.any([gone, stopping]),
    }),
    statusOf,
    defect: (error, { metadata }) =>
      log.error({ requestId: requestIdOf(metadata), err: error }, 'a call failed without a code'),
    stopping,
  };
}
