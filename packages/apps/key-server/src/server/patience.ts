import {
  type Responder,
  type ServerInterceptor,
  type ServerInterceptingCallInterface,
  status,
} from '@grpc/grpc-js';
import { AnsweringCall, CallTimer } from '@nodecore/listener';

export type PatienceParts = {
  /** A request that is not there after twice as long will not come. */
  readonly requestMs: number;
  /** How long an answer may be on its way. */
  readonly stallMs: number;
  /** Its caller takes nothing any more. */
  readonly stalled: (call: ServerInterceptingCallInterface) => void;
};

/** Stands before every call: one whose request does not come ends, and so does a connection that takes no answers. */
export function patience({ requestMs, stallMs, stalled }: PatienceParts): ServerInterceptor {
  return (_method, call) => {
    const asking = new CallTimer();
    const answering = new CallTimer();
    const responder: Responder = {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, pass) => {
            const late = {
              code: status.DEADLINE_EXCEEDED,
              details: `no request came within ${requestMs} ms`,
            };
            asking.setTwice(requestMs, () => call.sendStatus(late));
            pass(metadata);
          },
          onReceiveMessage: (message, pass) => {
            asking.clear();
            pass(message);
          },
          onCancel: () => {
            asking.clear();
            answering.clear();
          },
        }),
      sendStatus: (answer, next) => {
        asking.clear();
        next(answer);
      },
    };
    return new AnsweringCall(call, responder, {
      begin: () => answering.set(stallMs, () => stalled(call)),
      end: () => answering.clear(),
    });
  };
}
