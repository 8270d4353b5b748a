import {
  definitionType,
  encodeSpec,
  failure,
  methodPaths,
  permits,
  rolesFor,
  rolesOf,
  type ResourceDefinition,
} from '@nodecore/api';
import type { CaptureServiceHandlers } from '@nodecore/api/capture';
import type { CgroupServiceHandlers } from '@nodecore/api/cgroup';
import type { ContainerServiceHandlers } from '@nodecore/api/container';
import type { EventServiceHandlers } from '@nodecore/api/event';
import type { FileServiceHandlers } from '@nodecore/api/file';
import type { InspectServiceHandlers } from '@nodecore/api/inspect';
import type { KernelLogServiceHandlers } from '@nodecore/api/kernel-log';
import type { LifecycleServiceHandlers } from '@nodecore/api/lifecycle';
import type { KvstoreServiceHandlers } from '@nodecore/api/kvstore';
import type {
  ApplyConfigurationRequest,
  MachineServiceHandlers,
  ProblemInit,
  VersionResponseInit,
} from '@nodecore/api/machine';
import {
  EventType,
  type EventInit,
  type ResourceInit,
  type ResourceServiceHandlers,
} from '@nodecore/api/resource';
import type { SupervisorServiceHandlers } from '@nodecore/api/service';
import type { ProcessServiceHandlers } from '@nodecore/api/process';
import type { SocketServiceHandlers } from '@nodecore/api/socket';
import type { StatServiceHandlers } from '@nodecore/api/stat';
import type { StorageServiceHandlers } from '@nodecore/api/storage';
import type { TimeServiceHandlers } from '@nodecore/api/time';
import type { TrimServiceHandlers } from '@nodecore/api/trim';
import type { VolumeServiceHandlers } from '@nodecore/api/volume';
import * as pki from '@nodecore/pki';
import type { ExecutionContext } from 'ava';
import { startNodeServer, status, type NodeServer } from '../../../contract/api/test/node-server.ts';

export { status };

export const authority: pki.Identity = await pki.createCA('test');
const identity = await pki.issueServer(authority, { names: ['127.0.0.1', 'localhost'] });
export const serverFingerprint: string = pki.fingerprint(identity.crt);

/** What a fake node is asked to apply, and how it answers. */
export type FakeNode = NodeServer & {
  readonly applied: ApplyConfigurationRequest[];
  /** Sends events to whoever watches. */
  readonly send: (...events: readonly EventInit[]) => void;
  /** Resolves when somebody watches. */
  readonly watched: () => Promise<void>;
  /** Ends every running watch as a lost connection does; who comes back with a bookmark gets these events. */
  readonly interrupt: (...missed: readonly EventInit[]) => void;
};

export type FakeNodeOptions = {
  readonly specs?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** By the id of a resource. */
  readonly annotations?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly maintenance?: boolean;
  readonly diff?: string;
  /** Which run of its agent answers. */
  readonly run?: () => string;
  readonly version?: VersionResponseInit;
  /** What is wrong with a configuration; undefined: nothing. */
  readonly refuse?: (text: string) => ProblemInit | undefined;
  readonly volumes?: Partial<VolumeServiceHandlers>;
  readonly captures?: Partial<CaptureServiceHandlers>;
  readonly storage?: Partial<StorageServiceHandlers>;
  readonly trims?: Partial<TrimServiceHandlers>;
  readonly kvstore?: Partial<KvstoreServiceHandlers>;
  readonly inspect?: Partial<InspectServiceHandlers>;
  readonly machine?: Partial<MachineServiceHandlers>;
  readonly lifecycle?: Partial<LifecycleServiceHandlers>;
  readonly events?: Partial<EventServiceHandlers>;
  readonly files?: Partial<FileServiceHandlers>;
  readonly kernelLog?: Partial<KernelLogServiceHandlers>;
  readonly services?: Partial<SupervisorServiceHandlers>;
  readonly counters?: Partial<StatServiceHandlers>;
  readonly time?: Partial<TimeServiceHandlers>;
  readonly processes?: Partial<ProcessServiceHandlers>;
  readonly cgroups?: Partial<CgroupServiceHandlers>;
  readonly sockets?: Partial<SocketServiceHandlers>;
  readonly containers?: Partial<ContainerServiceHandlers>;
};

const definitions: readonly ResourceDefinition[] = [
  definition('Disks.block.nodecore.dev', 'Disk', [
    { name: 'Size', jsonPath: '$.pretty_size' },
    { name: 'Model', jsonPath: '$.model' },
  ]),
  definition('DiscoveredVolumes.block.nodecore.dev', 'DiscoveredVolume', []),
  definition('SystemDisks.block.nodecore.dev', 'SystemDisk', [{ name: 'Disk', jsonPath: '$.diskID' }]),
  definition('VolumeStatuses.block.nodecore.dev', 'VolumeStatus', []),
  definition('Mounts.block.nodecore.dev', 'Mount', []),
  definition('Mounts.kernel.nodecore.dev', 'Mount', []),
  {
    ...definition(definitionType, 'ResourceDefinition', [{ name: 'Aliases', jsonPath: '$.aliases[*]' }]),
    defaultNamespace: 'meta',
    aliases: ['rd', 'api-resources'],
  },
];

function definition(
  type: string,
  displayType: string,
  printColumns: ResourceDefinition['printColumns'],
): ResourceDefinition {
  return {
    type,
    displayType,
    printColumns,
    aliases: [],
    defaultNamespace: 'runtime',
    sensitive: false,
    description: '',
  };
}

export const disk = {
  dev_path: '/dev/nvme0n1',
  pretty_size: '54 GB',
  size: 54_000_000_000,
  model: 'QEMU NVMe',
};

/** A node in this process, with definitions and whatever else the test gives it. */
export async function startFakeNode(t: ExecutionContext, options: FakeNodeOptions = {}): Promise<FakeNode> {
  const applied: ApplyConfigurationRequest[] = [];
  const watchers = new Set<Parameters<ResourceServiceHandlers['watch']>[0]>();
  const missed: EventInit[] = [];
  const watched = Promise.withResolvers<void>();
  const specs: NonNullable<FakeNodeOptions['specs']> = {
    [definitionType]: Object.fromEntries(definitions.map((each) => [each.type.toLowerCase(), each])),
    'Disks.block.nodecore.dev': { nvme0n1: disk },
    ...options.specs,
  };
  const resourcesOf = (type: string): ResourceInit[] =>
    Object.entries(specs[type] ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, spec]) => resource(type, id, spec, { annotations: options.annotations?.[id] ?? {} }));
  const node = await startNodeServer(t, {
    identity,
    ...(options.maintenance === true ? {} : { ca: authority.crt }),
    machine: {
      mounts: (_call, answer) => {
        answer(null, { mounts });
      },
      ...options.machine,
      version: (_call, answer) => {
        const known = { hostname: 'node-a', version: '0.1.0', os: 'linux', arch: 'x64', maintenance: false };
        answer(null, { ...known, ...options.version });
      },
      access: (call, answer) => {
        const roles = rolesOf(call.getAuthContext()?.sslPeerCertificate);
        const methods = methodPaths().map((path) => ({
          method: path.slice('/nodecore.v1.'.length),
          allowed: permits(roles, path),
          roles: [...rolesFor(path)],
        }));
        answer(null, { name: 'somebody', roles: [...roles], methods });
      },
      applyConfiguration: (call, answer) => {
        const roles = rolesOf(call.getAuthContext()?.sslPeerCertificate);
        if (options.maintenance !== true && !permits(roles, call.getPath())) {
          answer(failure(status.PERMISSION_DENIED, 'needs os:operator, and the certificate has os:reader'));
          return;
        }
        const problem = options.refuse?.(Buffer.from(call.request.data).toString());
        if (problem !== undefined) {
          const info = { code: 'ERR_CONFIG_INVALID', problems: [problem] };
          answer(failure(status.INVALID_ARGUMENT, 'the configuration has 1 problem', info));
          return;
        }
        applied.push(call.request);
        const { mode, dryRun } = call.request;
        answer(null, {
          warnings: ['a warning'],
          mode,
          modeDetails: dryRun ? 'Would apply' : 'Applied configuration without a reboot',
          diff: options.diff ?? '',
        });
      },
    },
    ...(options.volumes === undefined ? {} : { volumes: options.volumes }),
    ...(options.captures === undefined ? {} : { captures: options.captures }),
    ...(options.storage === undefined ? {} : { storage: options.storage }),
    ...(options.trims === undefined ? {} : { trims: options.trims }),
    ...(options.kvstore === undefined ? {} : { kvstore: options.kvstore }),
    ...(options.inspect === undefined ? {} : { inspect: options.inspect }),
    ...(options.files === undefined ? {} : { files: options.files }),
    ...(options.kernelLog === undefined ? {} : { kernelLog: options.kernelLog }),
    ...(options.events === undefined ? {} : { events: options.events }),
    ...(options.services === undefined ? {} : { services: options.services }),
    ...(options.cgroups === undefined ? {} : { cgroups: options.cgroups }),
    ...(options.processes === undefined ? {} : { processes: options.processes }),
    ...(options.sockets === undefined ? {} : { sockets: options.sockets }),
    ...(options.time === undefined ? {} : { time: options.time }),
    ...(options.counters === undefined ? {} : { counters: options.counters }),
    ...(options.containers === undefined ? {} : { containers: options.containers }),
    ...(options.lifecycle === undefined ? {} : { lifecycle: options.lifecycle }),
    resources: {
      get: ({ request }, answer) => {
        const found = resourcesOf(request.type).find(({ metadata }) => metadata?.id === request.id);
        if (found === undefined) answer(failure(status.NOT_FOUND, `${request.id}: not found`));
        else answer(null, { resource: found });
      },
      list: (call) => {
        call.write({
          resources: resourcesOf(call.request.type),
          bookmark: { epoch: options.run?.() ?? 'e', revision: 1n },
        });
        call.end();
      },
      watch: (call) => {
        watchers.add(call);
        call.on('close', () => watchers.delete(call));
        if (call.request.bookmark !== undefined) {
          call.write({ events: missed.splice(0) });
          return;
        }
        const { type, id } = call.request;
        const events = resourcesOf(type)
          .filter((each) => id === '' || each.metadata?.id === id)
          .map((each) => ({ type: EventType.CREATED, resource: each }));
        const bookmark = { epoch: 'e', revision: 1n };
        call.write({ events: [...events, { type: EventType.BOOTSTRAPPED, bookmark }] });
        watched.resolve();
      },
    },
  });
  return {
    ...node,
    applied,
    watched: () => watched.promise,
    send: (...events) => {
      for (const watcher of watchers) watcher.write({ events });
    },
    interrupt: (...events) => {
      missed.push(...events);
      for (const watcher of watchers) watcher.emit('error', failure(status.UNAVAILABLE, 'going down'));
    },
  };
}

type ResourceMetadata = {
  readonly version?: bigint;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
};

export function resource(
  type: string,
  id: string,
  spec: unknown,
  { version = 1n, labels = {}, annotations = {} }: ResourceMetadata = {},
): ResourceInit {
  const namespace = type === definitionType ? 'meta' : 'runtime';
  return {
    metadata: { namespace, type, id, version, phase: 1, labels, annotations },
    spec: encodeSpec(spec),
  };
}

const mounts = [
  {
    source: '/dev/mapper/u-data',
    target: '/var/mnt/data',
    type: 'xfs',
    options: ['rw', 'nosuid'],
    sizeBytes: 10_000_000_000n,
    usedBytes: 2_500_000_000n,
    availableBytes: 7_500_000_000n,
    inodes: 1000n,
    inodesFree: 999n,
  },
  { source: 'proc', target: '/proc', type: 'proc', options: ['rw'], sizeBytes: 0n },
  { source: 'server:/x', target: '/mnt/x', type: 'nfs4', options: ['rw'], error: 'did not answer' },
];
