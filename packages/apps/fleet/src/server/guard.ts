import {
  type Metadata,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
  ServerInterceptingCall,
} from '@grpc/grpc-js';

import { authorise, type Caller, nobody } from '../access/caller.ts';
import type { Log } from '../log.ts';
import { statusOf } from './status.ts';

/** A call as it arrives, before anything of its request is read. */
export type ArrivingCall = { readonly path: string; readonly metadata: Metadata; readonly peer: string };

/** Finds out who calls: the one door for everything that comes by gRPC. Rejects for a signature that is not right. */
export type Authenticate = (call: ArrivingCall) => Promise<Caller>;

/** Who signed each call that was let in, by the metadata that its handler gets. */
export class Callers {
  readonly #byMetadata = new WeakMap<Metadata, Caller>();

  /** Made by the guard. */
  set(metadata: Metadata, caller: Caller): void {
    this.#byMetadata.set(metadata, caller);
  }

  /** Nobody, for a call that no guard has seen. */
  of({ metadata }: { readonly metadata: Metadata }): Caller {
    return this.#byMetadata.get(metadata) ?? nobody;
  }
}

/** Stands before every method: who calls, and may they. Nothing of a refused request is read. */
export function guard(options: {
  readonly authenticate: Authenticate;
  readonly callers: Callers;
  readonly log: Log;
}): ServerInterceptor {
  const { authenticate, callers, log } = options;
  return ({ path }, call) => {
    const peer = call.getPeer();
    return new ServerInterceptingCall(call, {
      start: (next) => {
        next({
          onReceiveMetadata: (metadata, pass) => {
            const admit = async (): Promise<void> => {
              const caller = await authenticate({ path, metadata, peer });
              authorise(caller, path);
              callers.set(metadata, caller);
            };
            admit().then(
              () => pass(metadata),
              (error: unknown) => refuse(call, error, { path, peer }, log),
            );
          },
        });
      },
    });
  };
}

function refuse(call: ServerInterceptingCallInterface, error: unknown, fields: object, log: Log): void {
  const answer = statusOf(error);
  if (answer.metadata === undefined) log.error({ err: error, ...fields }, 'a call failed without a code');
  else log.info({ ...fields, reason: answer.details }, 'call refused');
  call.sendStatus(answer);
}
