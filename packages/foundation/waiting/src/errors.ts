export type WaitingErrorCode = 'ERR_QUEUE_CLOSED'; // the queue takes no more: it was closed, or its reader left

/** What ends a wait for room in a queue that nobody will read. */
export class WaitingError extends Error {
  readonly code: WaitingErrorCode;

  constructor(code: WaitingErrorCode, message: string) {
    super(message);
    this.code = code;
  }

  static {
    this.prototype.name = 'WaitingError';
  }
}
