import {
  Server,
  ServerCredentials,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { ExecutionContext } from 'ava';
import type { Identity } from '@nodecore/pki';
import { passedOnPath } from '../src/passed-on-path.ts';
import { CaptureService, type CaptureServiceHandlers } from '../gen/capture.js';
import { CgroupService, type CgroupServiceHandlers } from '../gen/cgroup.js';
import { EventService, type EventServiceHandlers } from '../gen/event.js';
import { FileService, type FileServiceHandlers } from '../gen/file.js';
import { SupervisorService, type SupervisorServiceHandlers } from '../gen/service.js';
import { InspectService, type InspectServiceHandlers } from '../gen/inspect.js';
import { ContainerService, type ContainerServiceHandlers } from '../gen/container.js';
import { KernelLogService, type KernelLogServiceHandlers } from '../gen/kernel-log.js';
import { KvstoreService, type KvstoreServiceHandlers } from '../gen/kvstore.js';
import { LifecycleService, type LifecycleServiceHandlers } from '../gen/lifecycle.js';
import { MachineService, type MachineServiceHandlers } from '../gen/machine.js';
import { ResourceService, type ResourceServiceHandlers } from '../gen/resource.js';
import { ProcessService, type ProcessServiceHandlers } from '../gen/process.js';
import { SocketService, type SocketServiceHandlers } from '../gen/socket.js';
import { StatService, type StatServiceHandlers } from '../gen/stat.js';
import { TimeService, type TimeServiceHandlers } from '../gen/time.js';
import { StorageService, type StorageServiceHandlers } from '../gen/storage.js';
import { TrimService, type TrimServiceHandlers } from '../gen/trim.js';
import { VolumeService, type VolumeServiceHandlers } from '../gen/volume.js';

export { status };

export type NodeServer = { readonly endpoint: string; readonly port: number; readonly server: Server };

export type NodeServerOptions = {
  readonly identity: Identity;
  /** Absent: clients need no certificate, as in maintenance mode. */
  readonly ca?: string;
  readonly machine?: Partial<MachineServiceHandlers>;
  readonly resources?: Partial<ResourceServiceHandlers>;
  readonly volumes?: Partial<VolumeServiceHandlers>;
  readonly storage?: Partial<StorageServiceHandlers>;
  readonly trims?: Partial<TrimServiceHandlers>;
  readonly captures?: Partial<CaptureServiceHandlers>;
  readonly cgroups?: Partial<CgroupServiceHandlers>;
  readonly kvstore?: Partial<KvstoreServiceHandlers>;
  readonly inspect?: Partial<InspectServiceHandlers>;
  readonly lifecycle?: Partial<LifecycleServiceHandlers>;
  readonly events?: Partial<EventServiceHandlers>;
  readonly files?: Partial<FileServiceHandlers>;
  readonly kernelLog?: Partial<KernelLogServiceHandlers>;
  readonly services?: Partial<SupervisorServiceHandlers>;
  readonly counters?: Partial<StatServiceHandlers>;
  readonly time?: Partial<TimeServiceHandlers>;
  readonly processes?: Partial<ProcessServiceHandlers>;
  readonly sockets?: Partial<SocketServiceHandlers>;
  readonly containers?: Partial<ContainerServiceHandlers>;
  readonly port?: number;
  /** It is of a release that knows nothing of calls for other nodes. Default false. */
  readonly isOld?: boolean;
};

/** A gRPC server on loopback that answers with the given handlers, and ends with the test. */
export async function startNodeServer(t: ExecutionContext, options: NodeServerOptions): Promise<NodeServer> {
  const server = new Server();
  const add = (service: ServiceDefinition, handlers: UntypedServiceImplementation): void => {
    server.addService(service, handlers);
    if (options.isOld !== true) server.addService(passedOn(service), handlers);
  };
  add(MachineService, withDefaults(MachineService, options.machine ?? {}));
  add(ResourceService, withDefaults(ResourceService, options.resources ?? {}));
  add(VolumeService, withDefaults(VolumeService, options.volumes ?? {}));
  add(TrimService, withDefaults(TrimService, options.trims ?? {}));
  add(StorageService, withDefaults(StorageService, options.storage ?? {}));
  add(CaptureService, withDefaults(CaptureService, options.captures ?? {}));
  add(CgroupService, withDefaults(CgroupService, options.cgroups ?? {}));
  add(InspectService, withDefaults(InspectService, options.inspect ?? {}));
  add(LifecycleService, withDefaults(LifecycleService, options.lifecycle ?? {}));
  add(KvstoreService, withDefaults(KvstoreService, options.kvstore ?? {}));
  add(KernelLogService, withDefaults(KernelLogService, options.kernelLog ?? {}));
  add(FileService, withDefaults(FileService, options.files ?? {}));
  add(EventService, withDefaults(EventService, options.events ?? {}));
  add(ProcessService, withDefaults(ProcessService, options.processes ?? {}));
  add(SocketService, withDefaults(SocketService, options.sockets ?? {}));
  add(TimeService, withDefaults(TimeService, options.time ?? {}));
  add(StatService, withDefaults(StatService, options.counters ?? {}));
  add(ContainerService, withDefaults(ContainerService, options.containers ?? {}));
  add(SupervisorService, withDefaults(SupervisorService, options.services ?? {}));
  const { crt, key } = options.identity;
  const pair = [{ cert_chain: Buffer.from(crt), private_key: key.bytes }];
  const credentials = ServerCredentials.createSsl(
    options.ca === undefined ? null : Buffer.from(options.ca),
    pair,
    options.ca !== undefined,
  );
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.bindAsync(`127.0.0.1:${options.port ?? 0}`, credentials, (error, port) => {
    if (error === null) resolve(port);
    else reject(error);
  });
  const port = await promise;
  t.teardown(() => server.forceShutdown());
  return { endpoint: `127.0.0.1:${port}`, port, server };
}

/** The same methods for calls that name another node, which the test answers for. */
function passedOn(service: ServiceDefinition): ServiceDefinition {
  const methods = Object.entries(service).map(([name, method]) => [
    name,
    { ...method, path: passedOnPath(method.path) },
  ]);
  return Object.fromEntries(methods) as ServiceDefinition;
}

function withDefaults(methods: object, handlers: object): UntypedServiceImplementation {
  const missing = Object.keys(methods).map((name) => [
    name,
    (call: { emit?: (event: string, error: object) => void }, answer?: (error: object) => void) => {
      const error = { code: status.UNIMPLEMENTED, details: `${name} has no handler in this test` };
      if (answer === undefined) call.emit?.('error', error);
      else answer(error);
    },
  ]);
  return { ...Object.fromEntries(missing), ...handlers } as UntypedServiceImplementation;
}
