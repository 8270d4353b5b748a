import {
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
  ServerInterceptingCall,
  status,
} from '@grpc/grpc-js';

import type { Log } from '../log.ts';
import { statusOf } from '../status.ts';
import { authorise, type Caller } from './caller.ts';
import { ServerError } from './errors.ts';
import type { RunningCalls } from './running-calls.ts';

export type GuardOptions = {
  readonly log: Log;
  /** Throws when the connection proves nobody. */
  readonly callerOf: (call: ServerInterceptingCallInterface) => Caller;
  /** Calls served at once; those above it are refused, so that a flood does not hold up the rest of the node. */
  readonly mostCalls: number;
  /** Counts them. */
  readonly running: RunningCalls;
};

/**
 * Stands before every method: who calls, may they, is there room. Nothing of a refused request is read. Writes one
 * line per call: method, status, duration and roles, never what was asked or answered.
 */
export function guard({ log, callerOf, mostCalls, running }: GuardOptions): ServerInterceptor {
  return ({ path }, call) => {
    const started = performance.now();
    const peer = call.getPeer(); // not known any more when the connection is gone
    let roles: readonly string[] = [];
    let counted = false;
    const end = (code: status | undefined): void => {
      if (counted) running.end();
      counted = false;
      const durationMs = Math.round(performance.now() - started);
      const name = code === undefined ? 'CANCELLED' : status[code];
      const level = code === status.OK || code === undefined || code === status.CANCELLED ? 'info' : 'warn';
      log[level]({ method: path, status: name, durationMs, roles, peer }, 'call');
    };
    const refuse = (error: unknown): void => {
      const answer = statusOf(error);
      end(answer.code);
      call.sendStatus(answer);
    };
    return new ServerInterceptingCall(call, {
      start: (next) => {
        next({
          onReceiveMetadata: (metadata, pass) => {
            try {
              const caller = callerOf(call);
              roles = [...caller.roles];
              authorise(caller, path);
              if (running.count >= mostCalls)
                throw new ServerError('ERR_SERVER_BUSY', `${mostCalls} calls are running`);
            } catch (error) {
              refuse(error);
              return;
            }
            running.begin();
            counted = true;
            pass(metadata);
          },
          onCancel: () => {
            if (counted) end(undefined);
          },
        });
      },
      sendStatus: (answer, next) => {
        if (counted) end(answer.code ?? status.OK);
        next(answer);
      },
    });
  };
}
