import type { ContainerMount } from './parts.ts';
import type { CgroupLayout } from './runtime.ts';

/** What a container of a node is made of. */
export type BundleParts = {
  /** Names it for the runtime, and its cgroup. */
  readonly id: string;
  readonly hostname: string;
  /** The root of the node OS. */
  readonly root: string;
  /** The agent's program in there. */
  readonly agent: string;
  /** Directories of this computer that keep the node's state, and its data. */
  readonly state: string;
  readonly data: string;
  /** The file that names the server of names. */
  readonly resolver: string;
  /** The file of its network namespace. */
  readonly network: string;
  /** Processors, also parts of one. */
  readonly cpus: number;
  readonly memoryMib: number;
  readonly mounts: readonly (ContainerMount & { readonly source?: string })[];
  /** The configuration that it begins with. */
  readonly configuration?: string | undefined;
  readonly capabilities: readonly string[];
  readonly cgroups: CgroupLayout;
};

const agentDirectory = '/usr/lib/nodeos';
const runDirectory = '/run/nodeos';
/** The scheduler's usual one. */
const periodMicros = 100_000;

/** As PID 1 of a machine gives the agent. */
const environment = [
  'GLIBC_TUNABLES=glibc.malloc.arena_max=2:glibc.malloc.mmap_threshold=262144:glibc.malloc.trim_threshold=262144',
  'HOME=/',
  'LANG=C.UTF-8',
  `NODECORE_KEEPER=${agentDirectory}/keeper`,
  `NODECORE_TETHER=${agentDirectory}/tether`,
  `NODE_COMPILE_CACHE=${agentDirectory}/compile-cache`,
  'NODE_OPTIONS=--max-semi-space-size=2',
  'PATH=/usr/bin:/usr/sbin',
  'PLATFORM=container',
];

/** What is this computer's own, with its disks and its firmware: a node has none. */
const masked = [
  '/proc/kcore',
  '/proc/keys',
  '/proc/timer_list',
  '/sys/block',
  '/sys/class/block',
  '/sys/devices/virtual/dmi',
  '/sys/firmware',
];

/** All containers share the kernel: a node sets what is of its network namespace, and nothing else. */
const readOnly = [
  '/proc/bus',
  '/proc/fs',
  '/proc/irq',
  '/proc/sys/abi',
  '/proc/sys/debug',
  '/proc/sys/dev',
  '/proc/sys/fs',
  '/proc/sys/kernel',
  '/proc/sys/vm',
  '/proc/sysrq-trigger',
];

/** The `config.json` of a node's container, for an OCI runtime. It has secrets where a configuration is given. Pure. */
export function bundleOf(parts: BundleParts): object {
  const { configuration, capabilities } = parts;
  const userData =
    configuration === undefined ? [] : [`USERDATA=${Buffer.from(configuration).toString('base64')}`];
  return {
    ociVersion: '1.0.2',
    hostname: parts.hostname,
    root: { path: parts.root, readonly: true },
    process: {
      terminal: false,
      user: { uid: 0, gid: 0 },
      cwd: '/',
      args: ['/usr/bin/node', parts.agent, '--state', '/system/state', '--run-directory', runDirectory],
      env: [...environment, ...userData],
      capabilities: { bounding: capabilities, effective: capabilities, permitted: capabilities },
      noNewPrivileges: true,
    },
    mounts: [
      mount('/proc', 'proc', []),
      mount('/dev', 'tmpfs', ['nosuid', 'mode=755', 'size=64k']),
      mount('/dev/pts', 'devpts', ['nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620']),
      mount('/dev/shm', 'tmpfs', ['nosuid', 'noexec', 'nodev', 'mode=1777', 'size=65536k']),
      mount('/sys', 'sysfs', ['nosuid', 'noexec', 'nodev', 'ro']),
      mount('/sys/fs/cgroup', 'cgroup', ['nosuid', 'noexec', 'nodev', 'relatime', 'ro']),
      mount('/run', 'tmpfs', ['nosuid', 'nodev', 'mode=755']),
      mount('/tmp', 'tmpfs', ['nosuid', 'nodev', 'mode=1777']),
      bind(parts.state, '/system/state', false),
      bind(parts.data, '/var', false),
      bind(parts.resolver, `${runDirectory}/resolv.conf`, true),
      ...parts.mounts.map(({ type, source, target, isReadOnly = false }) =>
        type === 'tmpfs' || source === undefined
          ? mount(target, 'tmpfs', ['nosuid', 'nodev', ...(isReadOnly ? ['ro'] : [])])
          : bind(source, target, isReadOnly),
      ),
    ],
    linux: {
      cgroupsPath: `/${parts.id}`,
      resources: {
        memory: { limit: parts.memoryMib * 2 ** 20 },
        cpu: { quota: Math.max(Math.round(parts.cpus * periodMicros), 1000), period: periodMicros },
        devices: [{ allow: false, access: 'rwm' }],
      },
      namespaces: [
        ...['pid', 'ipc', 'uts', 'mount', ...(parts.cgroups === 'v2' ? ['cgroup'] : [])].map((type) => ({
          type,
        })),
        { type: 'network', path: parts.network },
      ],
      maskedPaths: masked,
      readonlyPaths: readOnly,
    },
  };
}

function mount(destination: string, type: string, options: readonly string[]): object {
  return { destination, type, source: type, options };
}

function bind(source: string, destination: string, isReadOnly: boolean): object {
  return { destination, type: 'bind', source, options: ['rbind', isReadOnly ? 'ro' : 'rw'] };
}
