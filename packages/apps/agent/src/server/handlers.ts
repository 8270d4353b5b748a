import type { handleClientStreamingCall, handleServerStreamingCall, handleUnaryCall } from '@grpc/grpc-js';
import {
  collectingHandler,
  type HandlerParts,
  requestIdOf,
  type ServerCall,
  streamingHandler,
  unaryHandler,
} from '@nodecore/api/handlers';

import type { Log } from '../log.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { Caller } from './caller.ts';
import { peerOf } from './peer.ts';
import { statusOf } from './status.ts';

/** What a method gets beside its request. */
export type CallContext = {
  readonly caller: Caller;
  /** Address and port, for the log. */
  readonly peer: string;
  /** The same in all that is said of the call. */
  readonly requestId?: string | undefined;
  /** Fires when the caller has gone or its deadline is over. */
  readonly signal: AbortSignal;
  /** Where what is done is kept; undefined: in the log alone. */
  readonly audit?: AuditTrail | undefined;
};

/** Finds out who calls; the guard has already let the call pass. */
export type CallerOf = (call: ServerCall) => Caller;

/** What the handlers of a server are made with. */
export type HandlerOptions = {
  readonly log: Log;
  readonly callerOf: CallerOf;
  /** Ends streams that would never end by themselves; its reason is their error. */
  readonly stopping: AbortSignal;
  readonly audit?: AuditTrail | undefined;
};

/** A method with one answer. A call that failed without a code is a defect of ours: the log has it, the caller not. */
export function unary<Request, Response>(
  options: HandlerOptions,
  method: (request: Request, context: CallContext) => Promise<Response>,
): handleUnaryCall<Request, Response> {
  return unaryHandler(partsOf(options), method);
}

/** A method with many requests and one answer; they are read no faster than the method takes them. */
export function collecting<Request, Response>(
  options: HandlerOptions,
  method: (requests: AsyncIterable<Request>, context: CallContext) => Promise<Response>,
): handleClientStreamingCall<Request, Response> {
  return collectingHandler(partsOf(options), method);
}

/** A method with many answers; see {@link streamingHandler}. */
export function streaming<Request, Response>(
  options: HandlerOptions,
  method: (request: Request, context: CallContext) => AsyncIterable<Response>,
): handleServerStreamingCall<Request, Response> {
  return streamingHandler(partsOf(options), method);
}

/** The same for answers by the megabyte: each is asked for when the one before is on its way, and may use its memory. */
export function streamingLarge<Request, Response>(
  options: HandlerOptions,
  method: (request: Request, context: CallContext) => AsyncIterable<Response>,
): handleServerStreamingCall<Request, Response> {
  return streamingHandler(partsOf(options), method, () => {});
}

function partsOf({ log, callerOf, stopping, audit }: HandlerOptions): HandlerParts<CallContext> {
  return {
    contextOf: (call, signal) => ({
      caller: callerOf(call),
      peer: peerOf(call),
      requestId: requestIdOf(call.metadata),
      signal,
      audit,
    }),
    statusOf,
    defect: (error, { metadata }) =>
      log.error({ requestId: requestIdOf(metadata), err: error }, 'a call failed without a code'),
    stopping,
  };
}
