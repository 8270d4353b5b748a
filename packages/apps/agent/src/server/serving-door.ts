import type { TLSSocket } from 'node:tls';

import { type Metadata, Server as GrpcServer } from '@grpc/grpc-js';
import type { Clock } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import type { ApiEvents } from './api-events.ts';
import type { AuditTrail } from './audit-trail.ts';
import { CallBudget } from './call-budget.ts';
import type { Caller, ClientCertificate } from './caller.ts';
import { Connections } from './connections.ts';
import { DirectAnswers } from './direct-answers.ts';
import { EarlyFaults } from './early-faults.ts';
import { guard, type GuardOptions } from './guard.ts';
import type { Limits } from './limits.ts';
import type { Door, Listener } from './listener.ts';
import { withMalformed } from './malformed.ts';
import type { NodeRoutes } from './node-routes.ts';
import type { RunningCalls } from './running-calls.ts';
import { type ServiceOptions, type ServicePart, wholeServices } from './service-part.ts';

const grpcOptions = {
  'grpc.max_concurrent_streams': 256, // more than calls: Node.js counts streams that were reset until it has freed them
  'grpc.max_send_message_length': 32 << 20, // what clients accept
  'grpc.keepalive_time_ms': 60_000, // finds clients that went without a word
  'grpc.keepalive_timeout_ms': 20_000,
  'grpc.enable_channelz': 0, // nobody asks it, and it keeps a record of every connection
};

export type CallEnds = {
  getAuthContext(): { readonly sslPeerCertificate?: ClientCertificate };
  getPeer(): string;
};

/** Whom a server serves, and how much. */
export type ServingDoorParts = {
  readonly log: Log;
  readonly events: ApiEvents;
  readonly clock: Pick<Clock, 'now'>;
  readonly audit: AuditTrail | undefined;
  readonly limits: Limits;
  readonly maxRequestBytes: number;
  readonly running: RunningCalls;
  /** Ends with the server. */
  readonly closing: AbortSignal;
  /** Ends streams that would never end by themselves. */
  readonly stopping: AbortSignal;
  /** @returns undefined when the connection is to be ended. */
  readonly admit: (socket: TLSSocket) => Caller | undefined;
  readonly identify: (call: CallEnds, metadata: Metadata) => Caller;
  /** Whose connection it is, whoever is named. */
  readonly holderOf?: (call: CallEnds) => Caller;
  /** Where calls go that are for other nodes; undefined: every call is for this one. */
  readonly routes?: NodeRoutes;
  readonly isReserved: GuardOptions['isReserved'];
  /** Throws when the caller may not call the method. */
  readonly authorise: GuardOptions['authorise'];
};

/** A door, and what the handlers behind it are made with. */
export type ServingDoor = Door & { readonly connections: Connections; readonly options: ServiceOptions };

/** A gRPC server with all that stands before its methods. It does not listen. */
export function servingDoor(parts: ServingDoorParts): ServingDoor {
  const { log, audit, limits, events, identify, stopping, closing } = parts;
  const faults = new EarlyFaults();
  const direct = new DirectAnswers();
  const connections = new Connections({
    limits: limits.connections,
    opened: (stream, headers) => {
      parts.routes?.look(headers);
      faults.look(stream, headers);
      direct.look(stream, headers);
    },
    clock: parts.clock,
    ended: events.connectionEnded,
  });
  const server = new GrpcServer({
    ...grpcOptions,
    'grpc.max_receive_message_length': parts.maxRequestBytes,
    interceptors: [
      guard({
        callerOf: identify,
        holderOf: parts.holderOf,
        authorise: parts.authorise,
        connectionOf: (call) => connections.of(call.getConnectionInfo()),
        faultOf: (metadata) => faults.take(metadata),
        streamOf: (metadata) => direct.take(metadata),
        isReserved: parts.isReserved,
        budget: new CallBudget(limits.calls),
        limits: limits.calls,
        running: parts.running,
        finished: events.called,
        stalled: (connection) => connections.end(connection, 'slow-reader'),
      }),
    ],
  });
  return {
    server,
    connections,
    options: { log, callerOf: (call) => identify(call, call.metadata), stopping, closing, audit },
    admit: (socket) => {
      const caller = parts.admit(socket);
      return caller !== undefined && connections.add(socket, caller) === undefined;
    },
  };
}

/** @throws {TypeError} for a method without a handler. */
export function serveAt(
  { server, options }: ServingDoor,
  services: (options: ServiceOptions) => readonly ServicePart[],
): void {
  for (const [definition, handlers] of wholeServices(services(options)))
    server.addService(withMalformed(definition), handlers);
}

/** What comes behind the end of calls that may not go on: a word to their clients, and the end of their sockets. */
const afterwardsMs = 1_000;

/** Takes no more connections, and lets running calls finish for as long as they may go on. @param listener of all the doors */
export async function closeDoors(
  listener: Listener,
  doors: readonly ServingDoor[],
  closeMs = 10_000,
): Promise<void> {
  // Of some sessions that it destroys when the time is over grpc-js leaves the sockets open, and the port waits for them.
  const late = setTimeout(() => {
    for (const { connections } of doors) for (const { socket } of connections.present()) socket.destroy();
  }, closeMs + afterwardsMs).unref();
  await listener.close(closeMs);
  clearTimeout(late);
  for (const { server, connections } of doors) {
    connections.close();
    server.forceShutdown();
  }
}
