import type { ServerHttp2Stream } from 'node:http2';

import {
  type Metadata,
  type Responder,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
  status,
} from '@grpc/grpc-js';
import { methodPath } from '@nodecore/api/forward';
import { takeRequestId } from '@nodecore/api/handlers';
import { AnsweringCall, CallTimer } from '@nodecore/listener';

import { statusOf } from './status.ts';
import type { CallBudget, CallShare } from './call-budget.ts';
import type { Caller } from './caller.ts';
import type { Connection } from './connection.ts';
import { sendDirectly } from './direct-answers.ts';
import type { EarlyFault } from './early-faults.ts';
import { ServerError } from './errors.ts';
import type { CallLimits } from './limits.ts';
import { Malformed } from './malformed.ts';
import { peerOf } from './peer.ts';
import type { RunningCalls } from './running-calls.ts';

/** One call, when it is over. */
export type FinishedCall = {
  readonly path: string;
  /** The same in all that is said of the call; empty when it ended before it was read. */
  readonly requestId: string;
  readonly code: status;
  readonly durationMs: number;
  /** Undefined when the connection proves no identity. */
  readonly caller: Caller | undefined;
  readonly peer: string;
  /** The other node that it was for, as the caller has named it. */
  readonly node: string | undefined;
  /** Why it was refused, or ended by us. */
  readonly refusal: ServerError | undefined;
};

export type GuardOptions = {
  /** Throws when the connection proves no identity. */
  readonly callerOf: (call: ServerInterceptingCallInterface, metadata: Metadata) => Caller;
  /** Whose connection it is, when the call is refused for whom it names. */
  readonly holderOf?: ((call: ServerInterceptingCallInterface) => Caller) | undefined;
  /** Throws when the caller may not call the method. */
  readonly authorise: (caller: Caller, path: string) => void;
  readonly connectionOf: (call: ServerInterceptingCallInterface) => Connection | undefined;
  /** What gRPC would refuse by itself. */
  readonly faultOf: (metadata: Metadata) => EarlyFault | undefined;
  /** The stream of a call whose answers need not go through gRPC. */
  readonly streamOf: (metadata: Metadata) => ServerHttp2Stream | undefined;
  /** Calls that may take what is reserved. */
  readonly isReserved: (caller: Caller, path: string) => boolean;
  readonly budget: CallBudget;
  readonly limits: CallLimits;
  /** Counts them. */
  readonly running: RunningCalls;
  readonly finished: (call: FinishedCall) => void;
  /** The caller of this connection takes nothing any more. */
  readonly stalled: (connection: Connection) => void;
};

/**
 * Stands before every method: who calls, may they, is there room, does the request come, does somebody take the answer. Nothing
 * of a refused request is read.
 */
export function guard(options: GuardOptions): ServerInterceptor {
  const {
    callerOf,
    holderOf,
    authorise,
    connectionOf,
    faultOf,
    streamOf,
    isReserved,
    budget,
    limits,
    running,
    finished,
    stalled,
  } = options;
  return ({ path: served, requestStream, responseStream }, call) => {
    const path = methodPath(served);
    const started = performance.now();
    const peer = peerOf(call); // not known any more when the connection is gone
    const connection = connectionOf(call);
    const timer = new CallTimer();
    const answering = new CallTimer();
    let requestId = '';
    let caller: Caller | undefined;
    let node: string | undefined;
    let share: CallShare | undefined;
    let fault: EarlyFault | undefined;
    let stream: ServerHttp2Stream | undefined;
    let hasRequest = false;
    let isOver = false;
    const end = (code: status, refusal?: ServerError): void => {
      if (isOver) return;
      isOver = true;
      timer.clear();
      share?.end();
      const durationMs = performance.now() - started;
      finished({ path, requestId, code, durationMs, caller, peer, node, refusal });
    };
    const refuse = (error: unknown): void => {
      const answer = statusOf(error);
      end(answer.code, error instanceof ServerError ? error : undefined);
      call.sendStatus(answer);
    };
    const refuseUnless = (check: () => void): boolean => {
      try {
        check();
        return true;
      } catch (error) {
        refuse(error);
        return false;
      }
    };
    const admit = (metadata: Metadata): void => {
      if (path !== served) node = String(metadata.get('node')).slice(0, 253);
      try {
        caller = callerOf(call, metadata);
      } catch (error) {
        caller = holderOf?.(call);
        throw error;
      }
      authorise(caller, path);
      share = budget.arrive({
        caller,
        connection,
        isReserved: isReserved(caller, path),
        isStream: responseStream,
      });
      running.begin();
    };
    const responder: Responder = {
      start: (next) => {
        next({
          onReceiveMetadata: (metadata, pass) => {
            requestId = takeRequestId(metadata);
            fault = faultOf(metadata);
            stream = streamOf(metadata);
            const isAdmitted = refuseUnless(() => {
              admit(metadata);
              if (fault?.reason !== undefined) throw new ServerError('ERR_SERVER_REQUEST', fault.reason);
            });
            if (!isAdmitted) return;
            timer.setTwice(limits.requestMs, () => refuse(late(limits.requestMs)));
            pass(metadata);
          },
          onReceiveMessage: (message: unknown, pass) => {
            if (fault !== undefined) fault.isUnpacked = true;
            if (isOver) return;
            const isTaken = refuseUnless(() => {
              if (message instanceof Malformed) throw new ServerError('ERR_SERVER_REQUEST', message.reason);
              share?.run();
            });
            if (!isTaken) return;
            hasRequest = true;
            timer.clear();
            if (responseStream) timer.set(limits.maxStreamMs, () => refuse(expired(limits.maxStreamMs)));
            pass(message);
          },
          onReceiveHalfClose: (pass) => {
            if (isOver) return;
            if (hasRequest || requestStream) pass();
            else refuse(new ServerError('ERR_SERVER_REQUEST', `${path}: there is no request`));
          },
          // Of every call, when its status is handed to HTTP/2, too.
          onCancel: () => {
            answering.clear();
            end(fault?.answer ?? status.CANCELLED);
            if (share !== undefined) running.end();
          },
        });
      },
      sendStatus: (answer, next) => {
        end(answer.code ?? status.OK);
        next(answer);
      },
    };
    const stall = (): void => {
      if (connection !== undefined) stalled(connection);
    };
    return new AnsweringCall(call, responder, {
      begin: () => answering.set(limits.stallMs, stall),
      end: () => answering.clear(),
      send: (message, sent) => stream !== undefined && sendDirectly(stream, path, message as object, sent),
    });
  };
}

function late(ms: number): ServerError {
  return new ServerError('ERR_SERVER_TIMEOUT', `no request came within ${ms / 1000} s`);
}

function expired(ms: number): ServerError {
  return new ServerError(
    'ERR_SERVER_EXPIRED',
    `streams end after ${ms / 1000} s here; it can be asked for again`,
  );
}
