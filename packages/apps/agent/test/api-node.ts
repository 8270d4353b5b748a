import { join } from 'node:path';

import { type Client, connect } from '@nodecore/api';
import { CgroupService } from '@nodecore/api/cgroup';
import { ContainerService } from '@nodecore/api/container';
import { EventService } from '@nodecore/api/event';
import { FileService } from '@nodecore/api/file';
import { KernelLogService } from '@nodecore/api/kernel-log';
import { LifecycleService } from '@nodecore/api/lifecycle';
import { CaptureService } from '@nodecore/api/capture';
import { KvstoreService } from '@nodecore/api/kvstore';
import { MachineService } from '@nodecore/api/machine';
import { ProcessService } from '@nodecore/api/process';
import { ResourceService } from '@nodecore/api/resource';
import { SupervisorService } from '@nodecore/api/service';
import { SocketService } from '@nodecore/api/socket';
import { StatService } from '@nodecore/api/stat';
import { TimeService } from '@nodecore/api/time';
import { VolumeService } from '@nodecore/api/volume';
import * as pki from '@nodecore/pki';
import { Store } from '@nodecore/state';
import { type Supervisor, SupervisorError } from '@nodecore/supervisor';
import { signedBy } from './no-signer.ts';
import { temporaryDirectory } from '@nodecore/testkit';
import { VolumeError } from '@nodecore/volumes';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';

import { bootState } from '../src/boot/boot-state.ts';
import { CaptureDirectory } from '../src/captures/capture-directory.ts';
import { Captures } from '../src/captures/captures.ts';
import { Cgroups } from '../src/cgroups/cgroups.ts';
import { Certificates, checkAuthority } from '../src/certificates/certificates.ts';
import { Configurator } from '../src/configuration/configurator.ts';
import { publishConfiguration } from '../src/configuration/machine-config.ts';
import { containerHandlers } from '../src/containers/container-service.ts';
import { EventLog } from '../src/events/event-log.ts';
import { eventHandlers } from '../src/events/event-service.ts';
import { fileService } from '../src/files/file-service.ts';
import { InstallError } from '../src/installs/errors.ts';
import { installHandlers } from '../src/installs/install-service.ts';
import type { Installs } from '../src/installs/installs.ts';
import { dmesgHandlers, type DmesgParts } from '../src/kernel-log/dmesg-service.ts';
import { KvstoreNode } from '../src/kvstore/kvstore-node.ts';
import { Maintenance } from '../src/maintenance/maintenance.ts';
import { Lifecycle } from '../src/lifecycle/lifecycle.ts';
import { lifecycleHandlers } from '../src/lifecycle/lifecycle-service.ts';
import { StateDirectory } from '../src/persistence/state-directory.ts';
import { definitions } from '../src/features.ts';
import { captureService } from '../src/captures/capture-service.ts';
import { cgroupService } from '../src/cgroups/cgroup-service.ts';
import { kvstoreService } from '../src/kvstore/kvstore-service.ts';
import { MetaRequestError } from '../src/meta/errors.ts';
import { metaHandlers } from '../src/meta/meta-service.ts';
import type { Meta } from '../src/persistence/meta.ts';
import { machineService } from '../src/machine/machine-service.ts';
import { NodeAddresses } from '../src/proxy/node-addresses.ts';
import { NodeSessions } from '../src/proxy/node-sessions.ts';
import { ProxyCredentials } from '../src/proxy/proxy-credentials.ts';
import { proxyService } from '../src/proxy/proxy-service.ts';
import { Catalog } from '../src/resources/catalog.ts';
import { resourceService } from '../src/resources/resource-service.ts';
import { servicePart } from '../src/server/service-part.ts';
import { Tally } from '../src/tally.ts';
import { supervisorHandlers } from '../src/services/supervisor-service.ts';
import { processHandlers, type ProcessParts } from '../src/processes/process-service.ts';
import { socketHandlers, type SocketParts } from '../src/sockets/socket-service.ts';
import { statHandlers, type StatPlaces } from '../src/stats/stat-service.ts';
import type { LogSource } from '../src/system-logs/system-log.ts';
import { timeHandlers, type TimeParts } from '../src/time/time-service.ts';
import { UpgradeError } from '../src/upgrades/errors.ts';
import { rollbackHandler, upgradeHandlers } from '../src/upgrades/upgrade-service.ts';
import type { Upgrades } from '../src/upgrades/upgrades.ts';
import { volumeService } from '../src/volumes/volume-service.ts';
import { AuditTrail } from '../src/server/audit-trail.ts';
import { NodeIdentity } from '../src/keys/node-identity.ts';
import { clientConfigurationHandlers } from '../src/machine/client-configuration.ts';
import { ApiServer } from '../src/server/server.ts';
import { type Authority, authority } from './documents.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';

export const ca = await authority();

/** A machine without a system disk. */
const notInstalled = (): Promise<never> =>
  Promise.reject(new UpgradeError('ERR_UPGRADE_NOT_INSTALLED', 'machine is not installed'));

/** A machine with a system disk. */
const installed = (): Promise<never> =>
  Promise.reject(new InstallError('ERR_INSTALL_INSTALLED', 'the system is installed on vda'));

function noMeta(): never {
  throw new MetaRequestError('ERR_META_NONE', 'no system disk');
}

const noServices = (): Promise<never> =>
  Promise.reject(new SupervisorError('ERR_SERVICE_BUSY', 'another process has the services'));

export type ApiNodeOptions = {
  /** Logs that are of no service. */
  readonly systemLogs?: ReadonlyMap<string, LogSource>;
  readonly upgrades?: Pick<Upgrades, 'upgrade' | 'rollback'>;
  /** Where the kernel's log comes from. */
  readonly dmesg?: Partial<DmesgParts>;
  /** Where the kernel counts. */
  readonly stats?: StatPlaces;
  readonly time?: TimeParts;
  readonly processes?: ProcessParts;
  readonly sockets?: SocketParts;
  /** Events that are kept. */
  readonly maxEvents?: number;
  readonly installs?: Pick<Installs, 'install'>;
  /** META of the machine; none by default. */
  readonly meta?: Meta;
  /** What a configuration waits for after its credentials are in use. */
  readonly activated?: (() => Promise<void>) | undefined;
  /** What STATE holds when it begins; without it there is nothing, and maintenance begins. */
  readonly persisted?: string;
  /** The services of the node; another agent has them by default. */
  readonly services?: () => Promise<Supervisor>;
  /** Who signs for it when it is a worker. */
  readonly issuer?: Authority;
  readonly limits?: ConstructorParameters<typeof ApiServer>[0]['limits'];
  /** How long calls of those may go on that are not let in again. Default 1 ms. */
  readonly drainMs?: number;
  /** How long calls may go on when it ends. */
  readonly closeMs?: number;
  /** Another node, on loopback under any name; none answers by default. */
  readonly otherNode?: { readonly port: number };
};

/** The API as an agent serves it, in this process, in maintenance; with a configuration, a log and a clock of its own. */
export async function apiNode(
  t: ExecutionContext,
  {
    services = noServices,
    issuer = ca,
    systemLogs,
    activated = async () => {},
    dmesg = {},
    stats = {},
    time = { usual: () => '127.0.0.1' },
    processes = {},
    sockets = {},
    limits,
    drainMs = 1,
    closeMs,
    otherNode = { port: 1 },
    maxEvents,
    meta,
    persisted,
    upgrades = { upgrade: notInstalled, rollback: notInstalled },
    installs = { install: installed },
  }: ApiNodeOptions = {},
) {
  const directory = await temporaryDirectory(t);
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const store = new Store();
  const catalog = new Catalog(definitions);
  catalog.publish(store);
  const clock = new FakeClock();
  const parts = { certificates: undefined as Certificates | undefined };
  const proxyCredentials = new ProxyCredentials(clock);
  const sessions = new NodeSessions({
    credentials: proxyCredentials,
    addresses: new NodeAddresses({ addressesOf: async () => ['127.0.0.1'], isRefused: () => false }),
    port: otherNode.port,
  });
  const configurator: Configurator = new Configurator({
    log,
    clock,
    prepareState: () => StateDirectory.open(join(directory, 'state')),
    prepareTrial: async () => {},
    volumeStatuses: () => [],
    admit: async (configuration) => {
      await checkAuthority(configuration);
      return [];
    },
    keysInForce: () => true,
    settle: async () => {},
    activate: async ({ configuration }) => {
      await parts.certificates?.use(configuration);
      proxyCredentials.use(configuration.machine);
      await parts.certificates?.renew(new AbortController().signal);
      await activated();
    },
    publish: (active, persisted) => publishConfiguration(store, active, persisted),
  });
  const volumes = {
    statuses: () => [],
    keysOf: (id: string): never => {
      throw new VolumeError('ERR_VOLUME_NOT_FOUND', id, `there is no volume ${id}`, 'needs-operator');
    },
  };
  const captures = new Captures({
    log,
    directory: new CaptureDirectory(async () => join(directory, 'captures')),
    apiPort: () => 50_000,
  });
  const cgroups = new Cgroups();
  const kvstore = new KvstoreNode({
    store,
    log,
    clock,
    runDirectory: '/nonexistent',
    services,
    stateDirectory: undefined,
    begunMark: async () => '/nonexistent/begun',
  });
  const events = new EventLog({ clock, bootId: 'boot', ...(maxEvents !== undefined && { max: maxEvents }) });
  const lostLogs = new Tally();
  const audit = new AuditTrail({ log, locate: async () => join(directory, 'audit') });
  const server = new ApiServer({
    audit,
    log,
    drainMs,
    clock,
    ...(closeMs !== undefined && { closeMs }),
    ...(limits && { limits }),
  });
  const lifecycle = new Lifecycle({
    log,
    clock,
    init: undefined,
    quiesce: async () => {},
    end: () => {},
    events,
  });
  server.serve((calls) => [
    servicePart(MachineService, machineService(configurator, calls, undefined, events)),
    servicePart(MachineService, clientConfigurationHandlers(configurator, calls)),
    servicePart(MachineService, lifecycleHandlers(lifecycle, calls)),
    servicePart(MachineService, rollbackHandler(upgrades, calls)),
    servicePart(
      MachineService,
      metaHandlers(() => meta ?? noMeta(), calls),
    ),
    servicePart(LifecycleService, upgradeHandlers(upgrades, calls)),
    servicePart(LifecycleService, installHandlers(installs, calls)),
    servicePart(ResourceService, resourceService({ store, catalog }, calls)),
    servicePart(VolumeService, volumeService(volumes, calls)),
    servicePart(EventService, eventHandlers({ events, mayPastCome: () => false }, calls)),
    servicePart(CaptureService, captureService(captures, calls)),
    servicePart(KernelLogService, dmesgHandlers({ bootId: 'boot', ...dmesg }, calls)),
    servicePart(FileService, fileService(log, calls)),
    servicePart(CgroupService, cgroupService(cgroups, calls)),
    servicePart(
      SupervisorService,
      supervisorHandlers({ open: services, systemLogs, bootId: 'boot', lostLogs }, calls),
    ),
    servicePart(KvstoreService, kvstoreService(kvstore, calls)),
    servicePart(ProcessService, processHandlers(calls, processes)),
    servicePart(SocketService, socketHandlers(calls, sockets)),
    servicePart(TimeService, timeHandlers(time, calls)),
    servicePart(StatService, statHandlers(stats, calls)),
    servicePart(ContainerService, containerHandlers(calls)),
    proxyService({ sessions, log }, calls),
  ]);
  const identity = new NodeIdentity();
  parts.certificates = new Certificates({
    ...signedBy(issuer),
    server,
    identity,
    machineUuid: () => '',
    clock,
    log,
  });
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  const shown: string[] = [];
  const reasons: string[] = [];
  const maintenance = new Maintenance({
    log,
    server,
    runDirectory: join(directory, 'run'),
    console: (line) => shown.push(line),
    changed: (status) => reasons.push(status?.reason ?? 'over'),
  });
  if (persisted === undefined) await maintenance.begin('test', address);
  else {
    const state = await StateDirectory.open(join(directory, 'state'));
    await state.writeConfiguration(persisted, 7);
    await bootState({ configurator, maintenance, address: () => address }, state);
  }
  t.teardown(async () => {
    sessions.close();
    await server.close();
    await configurator.close();
    await audit.flush();
  });
  const endpoint = `127.0.0.1:${address.port}`;
  const open = <T extends Client>(client: T): T => {
    t.teardown(() => client.close());
    return client;
  };
  const insecure = (fingerprints?: readonly string[]): Client =>
    open(connect({ endpoint, insecure: true, fingerprints }));
  const as = async (roles: readonly string[], issuer = ca): Promise<Client> => {
    const { crt, key } = await pki.issueClient(issuer, { roles });
    return open(connect({ endpoint, ca: ca.crt, crt, key }));
  };
  return {
    endpoint,
    address,
    server,
    store,
    catalog,
    events,
    configurator,
    insecure,
    as,
    lines,
    shown,
    reasons,
    clock,
    audit,
    directory,
    sessions,
    lostLogs,
  };
}
