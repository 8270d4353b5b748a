import { type Responder, ServerInterceptingCall, type ServerInterceptingCallInterface } from '@grpc/grpc-js';

/** Is told when an answer is on its way, and when it is taken. */
export type Answering = {
  readonly begin: () => void;
  readonly end: () => void;
  /** Sends an answer in another way than gRPC, and calls `sent` when it is on its way. @returns false when it does not. */
  readonly send?: (message: unknown, sent: () => void) => boolean;
};

/** A call that reports when an answer is on its way, and when it is taken. */
export class AnsweringCall extends ServerInterceptingCall {
  readonly #answering: Answering;

  /** @param responder of the call that stands before it; none answers as it is. */
  constructor(call: ServerInterceptingCallInterface, responder: Responder | undefined, answering: Answering) {
    super(call, responder);
    this.#answering = answering;
  }

  override sendMessage(message: unknown, callback: () => void): void {
    const { begin, end, send } = this.#answering;
    begin();
    const taken = (): void => {
      end();
      callback();
    };
    if (send?.(message, taken) !== true) super.sendMessage(message, taken);
  }
}
