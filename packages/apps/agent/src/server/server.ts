import { setTimeout } from 'node:timers/promises';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

import type { Role } from '@nodecore/api';
import { MachineService } from '@nodecore/api/machine';
import { fingerprint, readCertificate } from '@nodecore/pki';
import { type Clock, Signal, systemClock } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import { ApiEvents, type ApiObserver } from './api-events.ts';
import type { AuditTrail } from './audit-trail.ts';
import { anonymousCaller, authorise, type Caller, certifiedCaller, ownCaller } from './caller.ts';
import type { ServerCredentials } from './credentials.ts';
import { ServerError } from './errors.ts';
import { certifiedLimits, type Limits, maintenanceLimits } from './limits.ts';
import type { Address } from '../address.ts';
import { type Farewell, Listener } from './listener.ts';
import { LinkGate } from './link-gate.ts';
import { NodeRoutes } from './node-routes.ts';
import { OwnCalls } from './own-calls.ts';
import { actualCaller } from './passed-on.ts';
import { hostOf } from './peer.ts';
import { RunningCalls } from './running-calls.ts';
import type { ServiceOptions, ServicePart } from './service-part.ts';
import {
  type CallEnds,
  closeDoors,
  serveAt,
  type ServingDoor,
  servingDoor,
  type ServingDoorParts,
} from './serving-door.ts';

export type ApiServerParts = {
  readonly log: Log;
  /** How long calls may go on when their authorities are no longer trusted; default 10 s. */
  readonly drainMs?: number;
  /** How long calls may go on when the server closes; default 10 s. */
  readonly closeMs?: number;
  readonly clock?: Pick<Clock, 'now'>;
  readonly audit?: AuditTrail;
  readonly limits?: { readonly certified?: Limits; readonly maintenance?: Limits };
};

/** A configuration has half of it at most; pieces of a header are of 1 MiB. */
const maxRequestBytes = 2 << 20;

/** The call that brings the first configuration is answered when STATE is made, which a slow disk may take minutes for. */
const firstConfigurationMs = 180_000;

/**
 * The node API. Before the first configuration one server answers anybody the calls that are marked for it; after
 * it, another one answers holders of a certificate. Their connections never mix.
 */
export class ApiServer {
  readonly #stopping = new AbortController();
  readonly #configured = new AbortController();
  readonly #quiet = new AbortController();
  readonly #drainMs: number;
  readonly #closeMs: number | undefined;
  /** Of maintenance. */
  readonly #visits = new RunningCalls();
  readonly #calls = new RunningCalls();
  readonly #events: ApiEvents;
  readonly #listener: Listener;
  readonly #linkGate: LinkGate;
  readonly #routes = new NodeRoutes();
  /** Fires when the node API shows another certificate, or another stage of the node. */
  readonly changed: Signal = new Signal();
  readonly #maintenance: ServingDoor;
  readonly #certified: ServingDoor;
  #credentials: ServerCredentials | undefined;
  #services: ((options: ServiceOptions) => readonly ServicePart[]) | undefined;

  constructor(parts: ApiServerParts) {
    this.#drainMs = parts.drainMs ?? 10_000;
    this.#closeMs = parts.closeMs;
    const events = (this.#events = new ApiEvents(parts.log, parts.audit));
    this.#listener = new Listener({ failed: events.handshakeFailed });
    const stopping = this.#stopping.signal;
    this.#certified = this.#door(parts, {
      limits: parts.limits?.certified ?? certifiedLimits,
      running: this.#calls,
      stopping,
      identify: (call, metadata) => actualCaller(holderOf(call), metadata),
      holderOf,
      routes: this.#routes,
      isReserved: ({ isAdmin }) => isAdmin,
      admit: (socket) => this.#certifiedCaller(socket),
    });
    this.#linkGate = new LinkGate({
      server: this.#certified.server,
      admit: this.#certified.admit,
      failed: (reason, peer) => events.handshakeFailed(reason, peer, undefined),
      handshakeMs: (parts.limits?.certified ?? certifiedLimits).handshakes.deadlineMs,
    });
    this.#maintenance = this.#door(parts, {
      limits: parts.limits?.maintenance ?? maintenanceLimits,
      running: this.#visits,
      stopping: AbortSignal.any([stopping, this.#configured.signal]),
      identify: (call) => this.#anybody(hostOf(call.getPeer())),
      isReserved: (_caller, path) => path === MachineService.applyConfiguration.path,
      admit: ({ remoteAddress }) => anonymousCaller(remoteAddress),
    });
  }

  /** Reports each call that ends and each connection that is refused. */
  observe(observer: ApiObserver): void {
    this.#events.observe(observer);
  }

  /** What goes on now. */
  counts(): { readonly connections: number; readonly handshakes: number; readonly calls: number } {
    return {
      connections: this.#maintenance.connections.size + this.#certified.connections.size,
      handshakes: this.#listener.handshakes,
      calls: this.#visits.count + this.#calls.count,
    };
  }

  /** Serves these, to both. Called once, before the first connection. @throws {TypeError} for a method without a handler. */
  serve(services: (options: ServiceOptions) => readonly ServicePart[]): void {
    for (const door of [this.#maintenance, this.#certified]) serveAt(door, services);
    this.#services = services;
  }

  /** Calls of the agent itself, which may do what these roles may; without a connection. @throws {TypeError} before {@link serve}. */
  own(name: string, roles: readonly Role[]): OwnCalls {
    if (this.#services === undefined) throw new TypeError('nothing is served yet');
    return new OwnCalls(this.#services, this.#certified.options, ownCaller(name, roles));
  }

  listen(address: Address): Promise<Address> {
    return this.#listener.listen(address);
  }

  /**
   * Takes these credentials into use. Connections stay only when they would be let in again: maintenance ends for
   * those who came by it, and a change of authorities for everybody.
   */
  use(credentials: ServerCredentials): void {
    if (this.#stopping.signal.aborted) return; // who is let go of is not let in again
    const farewell = this.#farewell(credentials);
    const wasMaintenance =
      this.#credentials !== undefined && this.#credentials.clientAuthorities === undefined;
    this.#credentials = credentials;
    this.#routes.use(credentials.crt);
    const door = credentials.clientAuthorities === undefined ? this.#maintenance : this.#certified;
    this.#listener.use(credentials, door, farewell);
    if (farewell === 'stay') this.#linkGate.use(credentials);
    // The first configuration may come by the link: its answer is sent before the connection ends.
    else this.#linkGate.use(credentials, wasMaintenance ? answered(this.#calls) : Promise.resolve());
    this.changed.notify();
  }

  /** SHA-256 of the public key of the certificate that is shown now, in base64; undefined while none is. */
  get publicKey(): string | undefined {
    return this.#credentials === undefined ? undefined : fingerprint(this.#credentials.crt);
  }

  /** When the certificate ends that is shown now, in milliseconds since the Unix epoch; undefined while none is. */
  get certificateEndsMs(): number | undefined {
    return this.#credentials === undefined
      ? undefined
      : readCertificate(this.#credentials.crt).validToDate.getTime();
  }

  /** Serves a stream of the fleet's link; callers on it show a certificate, as on the port. */
  inject(stream: Duplex): void {
    this.#linkGate.inject(stream);
  }

  /** Whose client certificates are good on the link before the first configuration, PEM; nobody's at first. */
  trustOnLink(authority: string | undefined): void {
    this.#linkGate.trust(authority);
  }

  #farewell({ clientAuthorities }: ServerCredentials): Farewell {
    const previous = this.#credentials;
    if (previous === undefined) return 'stay';
    if (String(previous.clientAuthorities?.toSorted()) === String(clientAuthorities?.toSorted()))
      return 'stay';
    if (previous.clientAuthorities !== undefined) return { drainMs: this.#drainMs };
    // Streams show nothing more; the call that is the cause of it gets its answer. Its connection hears of the end only then: a
    // client of grpc-js that pings after it was told to go drops the connection, and the call with it (grpc-node#3068).
    this.#configured.abort(configured());
    return { after: answered(this.#visits), drainMs: this.#drainMs };
  }

  /** Ends streams, all but those of a reset: what they read or write is about to go. */
  quiesce(): void {
    this.#quiet.abort(new ServerError('ERR_SERVER_STOPPING', 'the node is being reset'));
  }

  /** Lets running calls finish, for as long as they may go on. */
  async close(): Promise<void> {
    this.#stopping.abort(new ServerError('ERR_SERVER_STOPPING', 'the agent is stopping'));
    this.#linkGate.close();
    await closeDoors(this.#listener, [this.#maintenance, this.#certified], this.#closeMs);
    this.#events.close();
  }

  /** A connection of maintenance may outlive it by the calls that were running, and by nothing else. */
  #anybody(address: string): Caller {
    if (this.#credentials?.clientAuthorities === undefined) return anonymousCaller(address);
    throw configured();
  }

  /** @returns undefined when the certificate opens nothing: its connection would only take the place of another. */
  #certifiedCaller(socket: TLSSocket): Caller | undefined {
    const peer = String(socket.remoteAddress);
    try {
      const caller = certifiedCaller(socket.getPeerCertificate());
      if (caller.roles.size > 0 || caller.isImpersonator) return caller;
      this.#events.connectionEnded('role-less', caller, peer);
    } catch {
      this.#events.connectionEnded('unauthenticated', undefined, peer);
    }
    return undefined;
  }

  #door(
    { log, audit, clock = systemClock }: ApiServerParts,
    {
      stopping,
      ...rest
    }: Pick<
      ServingDoorParts,
      'limits' | 'running' | 'stopping' | 'identify' | 'holderOf' | 'routes' | 'isReserved' | 'admit'
    >,
  ): ServingDoor {
    return servingDoor({
      ...rest,
      log,
      audit,
      clock,
      events: this.#events,
      maxRequestBytes,
      authorise,
      closing: stopping,
      stopping: AbortSignal.any([stopping, this.#quiet.signal]),
    });
  }
}

/** Resolves when these calls have their answers; one that stands still is not waited for. */
async function answered(calls: RunningCalls): Promise<void> {
  await Promise.race([calls.idle(), setTimeout(firstConfigurationMs, undefined, { ref: false })]);
}

function holderOf(call: CallEnds): Caller {
  return certifiedCaller(call.getAuthContext().sslPeerCertificate);
}

function configured(): ServerError {
  return new ServerError(
    'ERR_SERVER_CONFIGURED',
    'the node has a configuration now: connect with a certificate',
  );
}
