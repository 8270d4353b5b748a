import type { OnReadOpts, Socket } from 'node:net';

import type { SnapshotAnswer, SnapshotLayout, SnapshotRequest } from '@nodecore/native/snapshot';

import { KvstoreError } from '../errors.ts';
import { connectFor, runOver, windowBytes } from './connection.ts';
import { faultWords } from './fault-words.ts';
import { fileReceiver } from './file-receiver.ts';
import type { SnapshotInfo } from './info.ts';
import { type WriteSnapshotOptions, writeSnapshot } from './receive.ts';
import { Transfer } from './transfer.ts';

/** A call to a server that passes a snapshot on: a `LentCall` of the API. */
export type SnapshotCall = {
  /** Whom errors name. */
  readonly subject: string;
  readonly request: Omit<SnapshotRequest, 'windowBytes' | 'layout'>;
  /** Ends the call; its reason is what it fails with. */
  readonly signal: AbortSignal;
  /** A connection for this call. Rejects with the reason of the signal when that fires before. */
  dial(onread: OnReadOpts, signal: AbortSignal): Promise<Socket>;
  /** Why the call failed; undefined when its answer is complete. */
  failureOf(answer: SnapshotCallAnswer): Error | undefined;
};

/** The end of a call, with what is wrong with its messages in words. */
export type SnapshotCallAnswer = Omit<SnapshotAnswer, 'fault'> & { readonly fault: string | undefined };

export type ReceiveSnapshotCallOptions = Omit<WriteSnapshotOptions, 'signal'> & {
  /** What the call's messages have where. */
  readonly layout: SnapshotLayout;
  /**
   * Ends it when there is no connection or nothing comes for so long, in milliseconds; 60 s unless given: a node waits 30 s for
   * its member.
   */
  readonly stallTimeoutMs?: number | undefined;
};

const defaultStallTimeoutMs = 60_000;

/**
 * Saves a snapshot that a node passes on, as {@link receiveSnapshot} does, without its bytes passing through JavaScript.
 *
 * @throws {KvstoreError} of the file, or of what came; and what the call failed with.
 */
export function receiveSnapshotCall(
  call: SnapshotCall,
  options: ReceiveSnapshotCallOptions,
): Promise<SnapshotInfo> {
  const { subject: endpoint, signal, request } = call;
  const { file, layout, stallTimeoutMs = defaultStallTimeoutMs } = options;
  const failureOf = (answer: SnapshotAnswer): Error | undefined => {
    const { fault } = answer;
    return call.failureOf({ ...answer, fault: fault === undefined ? undefined : faultWords[fault] });
  };
  return writeSnapshot({ ...options, signal }, async (sink, meter) => {
    const download = sink.download({ ...request, windowBytes, layout });
    const receiver = fileReceiver(file, sink, meter);
    const transfer = new Transfer(download, receiver, { endpoint, failureOf, stallTimeoutMs, signal });
    await runOver(await connectFor(transfer, (onread) => dialInTime(call, onread, stallTimeoutMs)));
  });
}

/** A port may be open for ever without an answer. */
async function dialInTime(call: SnapshotCall, onread: OnReadOpts, timeoutMs: number): Promise<Socket> {
  const late = new AbortController();
  const timer = setTimeout(() => {
    const words = `no connection in ${timeoutMs} ms; is the node up?`;
    late.abort(new KvstoreError('ERR_KVSTORE_TIMEOUT', call.subject, words));
  }, timeoutMs);
  try {
    return await call.dial(onread, AbortSignal.any([call.signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}
