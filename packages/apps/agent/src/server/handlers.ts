import type {
  handleClientStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  ServerReadableStream,
  ServerWritableStream,
} from '@grpc/grpc-js';
import { onAbort } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import { type Answer, statusOf } from './status.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { Caller } from './caller.ts';

/** What a method gets beside its request. */
export type CallContext = {
  readonly caller: Caller;
  /** Address and port, for the log. */
  readonly peer: string;
  /** Fires when the caller has gone or its deadline is over. */
  readonly signal: AbortSignal;
  /** Where what is done is kept; undefined: in the log alone. */
  readonly audit?: AuditTrail | undefined;
};

type Connection =
  | Parameters<handleUnaryCall<unknown, unknown>>[0]
  | ServerReadableStream<unknown, unknown>
  | ServerWritableStream<unknown, unknown>;

/** Finds out who calls; the guard has already let the call pass. */
export type CallerOf = (call: Connection) => Caller;

export type HandlerOptions = {
  readonly log: Log;
  readonly callerOf: CallerOf;
  /** Ends streams that would never end by themselves; its reason is their error. */
  readonly stopping: AbortSignal;
  readonly audit?: AuditTrail | undefined;
};

/** A method with one answer. A call that failed without a code is a defect of ours: the log has it, the caller not. */
export function unary<Request, Response>(
  { log, callerOf, audit }: HandlerOptions,
  method: (request: Request, context: CallContext) => Promise<Response>,
): handleUnaryCall<Request, Response> {
  return (call, reply) => {
    const abort = new AbortController();
    call.on('cancelled', () => abort.abort());
    const answer = async (): Promise<Response> =>
      method(call.request, { caller: callerOf(call), peer: call.getPeer(), signal: abort.signal, audit });
    answer().then(
      (response) => reply(null, response),
      (error: unknown) => {
        reportDefect(log, error);
        reply(statusOf(error));
      },
    );
  };
}

/** A method with many requests and one answer; they are read no faster than the method takes them. */
export function collecting<Request, Response>(
  { log, callerOf, audit }: HandlerOptions,
  method: (requests: AsyncIterable<Request>, context: CallContext) => Promise<Response>,
): handleClientStreamingCall<Request, Response> {
  return (call, reply) => {
    const abort = new AbortController();
    call.on('cancelled', () => abort.abort());
    const answer = async (): Promise<Response> =>
      method(call, { caller: callerOf(call), peer: call.getPeer(), signal: abort.signal, audit });
    answer().then(
      (response) => reply(null, response),
      (error: unknown) => {
        reportDefect(log, error);
        reply(statusOf(error));
      },
    );
  };
}

/**
 * A method with many answers, written no faster than the caller reads them.
 *
 * @param onSent is told when an answer is on its way, and only then the next is asked for; without it some wait to be sent. For
 *   large ones, and for those whose bytes are used again.
 */
export function streaming<Request, Response>(
  { log, callerOf, stopping, audit }: HandlerOptions,
  method: (request: Request, context: CallContext) => AsyncIterable<Response>,
  onSent?: (answer: Response) => void,
): handleServerStreamingCall<Request, Response> {
  return (call) => {
    const abort = new AbortController();
    call.on('cancelled', () => abort.abort());
    call.on('close', () => abort.abort());
    const signal = AbortSignal.any([abort.signal, stopping]);
    const write = async (): Promise<void> => {
      const context = { caller: callerOf(call), peer: call.getPeer(), signal, audit };
      for await (const answer of method(call.request, context)) {
        if (signal.aborted) break;
        if (onSent !== undefined) {
          if (await sent(call, answer, signal)) onSent(answer);
        } else if (!call.write(answer)) await drained(call, signal);
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

/** Resolves to false when the caller has gone: nothing is sent any more then, and what was to be sent may be in use still. */
function sent<Response>(
  call: ServerWritableStream<unknown, Response>,
  answer: Response,
  signal: AbortSignal,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const listener = onAbort(signal, () => resolve(false));
  call.write(answer, (error?: Error | null) => {
    listener[Symbol.dispose]();
    resolve(error === null || error === undefined);
  });
  return promise;
}

function reportDefect(log: Log, error: unknown): void {
  const answer: Answer = statusOf(error);
  if (answer.metadata === undefined) log.error({ err: error }, 'a call failed without a code');
}
