import type { OnReadOpts, Socket } from 'node:net';

import type { Http2Answer, Http2Request } from '@nodecore/native/http2';

/** A call to a node that somebody else makes: a `LentCall` of the API. */
export type LentCall = {
  readonly request: Omit<Http2Request, 'windowBytes'>;
  /** Ends the call; its reason is what it fails with. */
  readonly signal: AbortSignal;
  /** A connection for this call. Rejects with the reason of the signal when that fires before. */
  dial(onread: OnReadOpts, signal: AbortSignal): Promise<Socket>;
  /** Why the call failed; undefined when its answer is complete. */
  failureOf(answer: LentCallAnswer): Error | undefined;
  /** That nobody answered in time. */
  silent(): Error;
};

/** The end of a call, with what is wrong with its messages in words. */
export type LentCallAnswer = Http2Answer & {
  readonly fault: string | undefined;
  /** It ends with a message's end. */
  readonly isWhole: boolean;
};
