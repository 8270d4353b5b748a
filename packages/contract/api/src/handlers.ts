import type {
  handleClientStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  ServerReadableStream,
  ServerUnaryCall,
  ServerWritableStream,
  StatusObject,
} from '@grpc/grpc-js';
import { onAbort } from '@nodecore/waiting';

export { requestIdHeader, requestIdOf, takeRequestId } from './request-id.ts';

/** A call as gRPC hands it to a handler, without its request. */
export type ServerCall =
  | ServerUnaryCall<unknown, unknown>
  | ServerReadableStream<unknown, unknown>
  | ServerWritableStream<unknown, unknown>;

/** How a call ends that failed. Without metadata: for a defect of ours, of which the caller learns only that there is one. */
export type CallFailure = Pick<StatusObject, 'code' | 'details'> & Partial<Pick<StatusObject, 'metadata'>>;

/** What a server makes its handlers with. */
export type HandlerParts<Context> = {
  /**
   * What a method gets beside its request. A throw fails the call.
   *
   * @param signal fires when the caller has gone or its deadline is over; of a stream also when the server ends.
   */
  readonly contextOf: (call: ServerCall, signal: AbortSignal) => Context;
  /** What a failed call answers. */
  readonly statusOf: (error: unknown) => CallFailure;
  /** Told of the errors whose answer says nothing of them. */
  readonly defect: (error: unknown, call: ServerCall) => void;
  /** Ends streams that would never end by themselves; its reason is their error. */
  readonly stopping: AbortSignal;
};

/** A method with one answer. */
export function unaryHandler<Request, Response, Context>(
  parts: HandlerParts<Context>,
  method: (request: Request, context: Context) => Promise<Response>,
): handleUnaryCall<Request, Response> {
  return (call, reply) => {
    const gone = goneOf(call);
    const answer = async (): Promise<Response> => method(call.request, parts.contextOf(call, gone.signal));
    answer().then(
      (response) => reply(null, response),
      (error: unknown) => reply(failed(parts, error, call)),
    );
  };
}

/** A method with many requests and one answer; they are read no faster than the method takes them. */
export function collectingHandler<Request, Response, Context>(
  parts: HandlerParts<Context>,
  method: (requests: AsyncIterable<Request>, context: Context) => Promise<Response>,
): handleClientStreamingCall<Request, Response> {
  return (call, reply) => {
    const gone = goneOf(call);
    const answer = async (): Promise<Response> => method(call, parts.contextOf(call, gone.signal));
    answer().then(
      (response) => reply(null, response),
      (error: unknown) => reply(failed(parts, error, call)),
    );
  };
}

/**
 * A method with many answers, written no faster than the caller reads them.
 *
 * @param onSent is told when an answer is on its way, and only then the next is asked for; without it some wait to be sent. For
 *   large ones, and for those whose bytes are used again.
 */
export function streamingHandler<Request, Response, Context>(
  parts: HandlerParts<Context>,
  method: (request: Request, context: Context) => AsyncIterable<Response>,
  onSent?: (answer: Response) => void,
): handleServerStreamingCall<Request, Response> {
  return (call) => {
    const gone = goneOf(call);
    call.on('close', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, parts.stopping]);
    const write = async (): Promise<void> => {
      for await (const answer of method(call.request, parts.contextOf(call, signal))) {
        if (signal.aborted) break;
        if (onSent !== undefined) {
          if (await sent(call, answer, signal)) onSent(answer);
        } else if (!call.write(answer)) await drained(call, signal);
      }
      parts.stopping.throwIfAborted();
    };
    write().then(
      () => call.end(),
      (error: unknown) => {
        if (!gone.signal.aborted) call.emit('error', failed(parts, error, call));
      },
    );
  };
}

function goneOf(call: { on(event: 'cancelled', listener: () => void): unknown }): AbortController {
  const gone = new AbortController();
  call.on('cancelled', () => gone.abort());
  return gone;
}

function failed<Context>(
  { statusOf, defect }: HandlerParts<Context>,
  error: unknown,
  call: ServerCall,
): CallFailure {
  const answer = statusOf(error);
  if (answer.metadata === undefined) defect(error, call);
  return answer;
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
