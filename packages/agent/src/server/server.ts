import { setTimeout } from 'node:timers/promises';

import { Server as GrpcServer } from '@grpc/grpc-js';
import {
  CgroupService,
  MachineService,
  ResourceService,
  StorageService,
  TrimService,
  VolumeService,
} from '@nodecore/api';

import type { Captures } from '../captures/captures.ts';
import type { Cgroups } from '../cgroups/cgroups.ts';
import type { Configurator } from '../configuration/configurator.ts';
import type { KvstoreNode } from '../kvstore/kvstore-node.ts';
import type { Log } from '../log.ts';
import type { Store } from '../resources/store.ts';
import type { Trims } from '../trims/trims.ts';
import { type Caller, certifiedCaller, maintenanceCaller } from './caller.ts';
import { captureService } from './capture-service.ts';
import { cgroupService } from './cgroup-service.ts';
import type { ServerCredentials } from './credentials.ts';
import { ServerError } from './errors.ts';
import { guard } from './guard.ts';
import { kvstoreService } from './kvstore-service.ts';
import { type Address, type Farewell, Listener } from './listener.ts';
import { machineService } from './machine-service.ts';
import { resourceService } from './resource-service.ts';
import { RunningCalls } from './running-calls.ts';
import { captureServiceInPlace, kvstoreServiceInPlace } from './in-place.ts';
import { type StorageParts, storageService } from './storage-service.ts';
import { trimService } from './trim-service.ts';
import { volumeService, type VolumesService } from './volume-service.ts';

export type ApiServerParts = {
  readonly log: Log;
  readonly store: Store;
  readonly configurator: Configurator;
  readonly volumes: VolumesService;
  readonly captures: Captures;
  readonly cgroups: Cgroups;
  readonly trims: Pick<Trims, 'request'>;
  readonly kvstore: KvstoreNode;
  readonly storage: StorageParts;
  /** How long calls may go on when their authorities are no longer trusted; default 10 s. */
  readonly drainMs?: number;
};

/** The call that brings the first configuration is answered when STATE is made, which a slow disk may take minutes for. */
const firstConfigurationMs = 180_000;

const limits = {
  'grpc.max_receive_message_length': 8 << 20, // a configuration is kilobytes
  'grpc.max_send_message_length': 32 << 20, // what clients accept
  'grpc.max_concurrent_streams': 64,
  'grpc.keepalive_time_ms': 60_000, // finds clients that went without a word
  'grpc.keepalive_timeout_ms': 20_000,
};

type AuthContext = { readonly sslPeerCertificate?: Parameters<typeof certifiedCaller>[0] };

/** Which calls a server takes. */
type ServedCalls = {
  readonly mostCalls: number;
  readonly running: RunningCalls;
  readonly stopping: AbortSignal;
  readonly identify: (context: AuthContext) => Caller;
};

/**
 * The node API. Before the first configuration one server answers anybody the calls that are marked for it; after
 * it, another one answers holders of a certificate. Their connections never mix.
 */
export class ApiServer {
  readonly #stopping = new AbortController();
  readonly #configured = new AbortController();
  readonly #quiet = new AbortController();
  readonly #drainMs: number;
  /** Of maintenance. */
  readonly #visits = new RunningCalls();
  readonly #listener: Listener;
  readonly #maintenance: GrpcServer;
  readonly #certified: GrpcServer;
  #credentials: ServerCredentials | undefined;

  constructor(parts: ApiServerParts) {
    this.#drainMs = parts.drainMs ?? 10_000;
    this.#listener = new Listener(parts.log);
    const stopping = this.#stopping.signal;
    this.#certified = this.#grpcServer(parts, {
      mostCalls: 256,
      running: new RunningCalls(),
      stopping,
      identify: (context) => certifiedCaller(context.sslPeerCertificate),
    });
    const ending = AbortSignal.any([stopping, this.#configured.signal]);
    this.#maintenance = this.#grpcServer(parts, {
      mostCalls: 32,
      running: this.#visits,
      stopping: ending,
      identify: () => this.#anybody(),
    });
  }

  listen(address: Address): Promise<Address> {
    return this.#listener.listen(address);
  }

  /**
   * Takes these credentials into use. Connections stay only when they would be let in again: maintenance ends for
   * those who came by it, and a change of authorities for everybody.
   */
  use(credentials: ServerCredentials): void {
    const farewell = this.#farewell(credentials);
    this.#credentials = credentials;
    const server = credentials.clientAuthorities === undefined ? this.#maintenance : this.#certified;
    this.#listener.use(credentials, server, farewell);
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
    const late = setTimeout(firstConfigurationMs, undefined, { ref: false });
    return { after: Promise.race([this.#visits.idle(), late]), drainMs: this.#drainMs };
  }

  /** Ends streams, all but those of a reset: what they read or write is about to go. */
  quiesce(): void {
    this.#quiet.abort(new ServerError('ERR_SERVER_STOPPING', 'the node is being reset'));
  }

  /** Lets running calls finish, for ten seconds at most. */
  async close(): Promise<void> {
    this.#stopping.abort(new ServerError('ERR_SERVER_STOPPING', 'the agent is stopping'));
    await this.#listener.close();
    for (const server of [this.#maintenance, this.#certified]) server.forceShutdown();
  }

  /** A connection of maintenance may outlive it by the calls that were running, and by nothing else. */
  #anybody(): Caller {
    if (this.#credentials?.clientAuthorities === undefined) return maintenanceCaller;
    throw configured();
  }

  #grpcServer(
    { log, store, configurator, volumes, captures, cgroups, trims, kvstore, storage }: ApiServerParts,
    { mostCalls, running, stopping, identify }: ServedCalls,
  ): GrpcServer {
    const callerOf = (call: { getAuthContext(): AuthContext }): Caller => identify(call.getAuthContext());
    const server = new GrpcServer({
      ...limits,
      interceptors: [guard({ log, mostCalls, running, callerOf })],
    });
    const options = { log, callerOf, stopping: AbortSignal.any([stopping, this.#quiet.signal]) };
    server.addService(MachineService, machineService(configurator, options));
    server.addService(ResourceService, resourceService(store, options));
    server.addService(VolumeService, volumeService(volumes, options));
    server.addService(TrimService, trimService(trims, options));
    server.addService(captureServiceInPlace, captureService(captures, options));
    server.addService(CgroupService, cgroupService(cgroups, options));
    server.addService(StorageService, storageService(storage, { options, stopping }));
    server.addService(kvstoreServiceInPlace, kvstoreService(kvstore, options));
    return server;
  }
}

function configured(): ServerError {
  return new ServerError(
    'ERR_SERVER_CONFIGURED',
    'the node has a configuration now: connect with a certificate',
  );
}
