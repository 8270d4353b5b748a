import type {
  handleServerStreamingCall,
  handleUnaryCall,
  Metadata,
  ServerWritableStream,
} from '@grpc/grpc-js';
import { onAbort } from '@nodecore/waiting';

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
  { log, callerOf, stopping }: HandlerOptions,
  method: (request: Request, context: CallContext) => Promise<Response>,
): handleUnaryCall<Request, Response> {
  return (call, reply) => {
    const abort = new AbortController();
    call.on('cancelled', () => abort.abort());
    const signal = AbortSignal.any([abort.signal, stopping]);
    const answer = async (): Promise<Response> =>
      method(call.request, { caller: callerOf(call), peer: call.getPeer(), signal });
    answer().then(
      (response) => reply(null, response),
      (error: unknown) => {
        reportDefect(log, error);
        reply(statusOf(error));
      },
    );
  };
}

/** A method with many answers, written no faster than the caller reads them. */
export function streaming<Request, Response>(
  { log, callerOf, stopping }: HandlerOptions,
  method: (request: Request, context: CallContext) => AsyncIterable<Response>,
): handleServerStreamingCall<Request, Response> {
  return (call) => {
    const abort = new AbortController();
    call.on('cancelled', () => abort.abort());
    call.on('close', () => abort.abort());
    const signal = AbortSignal.any([abort.signal, stopping]);
    const write = async (): Promise<void> => {
      const context = { caller: callerOf(call), peer: call.getPeer(), signal };
      for await (const answer of method(call.request, context)) {
        if (signal.aborted) break;
        if (!call.write(answer)) await drained(call, signal);
      }
      stopping.throwIfAborted();
    };
    write().then(
      () => call.end(),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        reportDefect(log, error);
        call.emit('error', statusOf(error));
      },
    );
  };
}

async function drained(call: ServerWritableStream<unknown, unknown>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  call.once('drain', resolve);
  using _listener = onAbort(signal, () => resolve());
  await promise;
  call.off('drain', resolve);
}

/** A call that failed without a code is a defect of ours: the log has it, the caller not. */
function reportDefect(log: Log, error: unknown): void {
  if (statusOf(error).metadata === undefined) log.error({ err: error }, 'a call failed without a code');
}
