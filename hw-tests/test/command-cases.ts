/** Where a command is proven. */
export type CommandCase =
  /** On the node of a machine: a command line, and what its answer begins with. */
  | {
      readonly args: string;
      /** The header of a table with single spaces, or the first line. */
      readonly begins: string | RegExp;
      /** Its answer as JSON is looked at by this flag, `-o` by default; false: it has none, or fails. */
      readonly formatFlag?: string | false;
      /** Default 0. */
      readonly code?: number;
    }
  /** In a test of machines, or of the agent's own program. */
  | { readonly elsewhere: string }
  /** Against a server of the test, which answers as the agent would. */
  | { readonly imitated: string; readonly because: string }
  /** It asks no node. */
  | 'local';

const at = (file: string): CommandCase => ({ elsewhere: file });
const [vm, agent, osctl] = ['hw-tests/test', 'packages/apps/agent/test', 'packages/apps/osctl/test'];
const imitated = (file: string, because: string): CommandCase => ({
  imitated: `${osctl}/${file}.test.ts`,
  because,
});
const refused = (args: string, begins: RegExp, code: number): CommandCase => ({
  args,
  begins,
  code,
  formatFlag: false,
});
const noRuntime = (args: string): CommandCase =>
  refused(args, /no container runtime on this node \(request [0-9a-f]+\)$/u, 9);

// oxlint-disable-next-line no-control-regex -- RFC 1952, 2.3.1
const gzip = /^\u001F/u;
const volumeStatuses = 'NODE NAMESPACE TYPE ID VERSION TYPE PHASE LOCATION SIZE KEY SLOT KEY PROBLEMS REASON';

/** Every command of osctl: a new one fails the tests until it is here. */
export const commandCases: Readonly<Record<string, CommandCase>> = {
  'auth can-i': { args: 'auth can-i TrimService/Trim', begins: 'NODE METHOD ALLOWED NEEDS ROLES' },
  cgroups: {
    args: 'cgroups --preset memory',
    begins: 'NAME MemCurrent MemPeak MemLow Peak/Low MemHigh MemMin Current/Min MemMax',
  },
  containers: noRuntime('containers'),
  copy: { args: 'copy /etc/hosts -', begins: gzip, formatFlag: false },
  debug: noRuntime('debug alpine'),
  describe: { args: 'describe volumestatuses STATE', begins: /^Node: +127\.0\.0\.1:\d+$/u },
  diskfree: {
    args: 'diskfree',
    begins: 'NODE VOLUME FILESYSTEM SIZE USED AVAILABLE USAGE MOUNT POINT',
  },
  disks: {
    args: 'disks',
    begins: 'NODE DISK SIZE TRANSPORT ROTATIONAL READ ONLY MODEL SERIAL WWID ERROR',
  },
  dmesg: { args: 'dmesg --level info', begins: /^127\.0\.0\.1:\d+: kern: +info: \[[^\]]+Z\]: ./u },
  events: { args: 'events --tail 5 --follow=false', begins: 'NODE ID EVENT ACTOR SOURCE MESSAGE' },
  get: { args: 'get volumestatuses', begins: volumeStatuses },
  // Not all is well with a machine that has no network but the way to its host.
  health: { args: 'health --wait-timeout 0s', begins: 'NODE CHECK STATE TIME REASON', code: 1 },
  'image list': noRuntime('image list'),
  'image pull': noRuntime('image pull alpine'),
  'image remove': noRuntime('image remove alpine'),
  'inspect dependencies': { args: 'inspect dependencies', begins: 'digraph {' },
  list: { args: 'list --long /var/mnt', begins: 'NODE MODE UID GID SIZE(B) LASTMOD LABEL NAME' },
  memory: {
    args: 'memory',
    begins: 'NODE TOTAL USED FREE SHARED BUFFERS CACHE AVAILABLE',
  },
  'meta write': { args: 'meta write 12 text', begins: '' },
  'meta delete': { args: 'meta delete 12', begins: '', formatFlag: false },
  mounts: {
    args: 'mounts --all',
    begins:
      'NODE FILESYSTEM TYPE SIZE(GB) USED(GB) AVAILABLE(GB) PERCENT USED INODES USED MOUNTED ON OPTIONS',
  },
  netstat: {
    args: 'netstat --listening --tcp',
    begins: 'NODE PROTO RECV-Q SEND-Q LOCAL ADDRESS FOREIGN ADDRESS STATE',
    formatFlag: '--output',
  },
  pressure: {
    args: 'pressure',
    begins: 'NODE CGROUP NAME CPU SOME CPU FULL MEMORY SOME MEMORY FULL IO SOME IO FULL IRQ FULL',
  },
  processes: {
    args: 'processes',
    begins: 'NODE PID STATE THREADS CPU-TIME VIRTMEM RESMEM LABEL COMMAND',
  },
  read: { args: 'read /etc/os-release', begins: /^PRETTY_NAME=/u, formatFlag: false },
  restart: noRuntime('restart pod --namespace cri'),
  service: { args: 'service', begins: 'NODE SERVICE STATE HEALTH LAST CHANGE LAST EVENT' },
  stats: noRuntime('stats'),
  trim: { args: 'trim --dry-run', begins: 'NODE VOLUME RESULT TRIMMED RANGES SECONDS DETAILS' },
  usage: { args: 'usage /var/mnt/plain', begins: 'SIZE NAME' },
  version: { args: 'version', begins: 'Client:' },
  wait: { args: 'wait volumestatuses STATE --for jsonpath=$.spec.phase=ready', begins: volumeStatuses },
  'wipe disk': refused('wipe disk nosuch --dry-run', /nosuch/u, 3),
  'wipe volume': refused('wipe volume nosuch --dry-run', /nosuch/u, 3),

  'apply-config': at(`${vm}/documents.vm.test.ts`),
  bootstrap: at(`${vm}/kvstore.vm.test.ts`),
  dashboard: at(`${agent}/killed-under-clients.root.test.ts`),
  edit: at(`${agent}/patches.root.test.ts`),
  logs: at(`${vm}/node-os.vm.test.ts`),
  patch: at(`${agent}/patches.root.test.ts`),
  pcap: at(`${vm}/capture-check.ts`),
  reboot: at(`${vm}/container-cluster.root.test.ts`),
  'rotate-ca': at(`${agent}/rotate-ca.root.test.ts`),
  support: at(`${agent}/support.root.test.ts`),
  shutdown: at(`${vm}/container-cluster.root.test.ts`),
  time: at(`${vm}/documents.vm.test.ts`),
  upgrade: at(`${vm}/bios-upgrade.vm.test.ts`),
  'volume header-backup': at(`${vm}/node-keys.vm.test.ts`),
  'volume header-restore': at(`${vm}/node-keys.vm.test.ts`),
  'volume recovery-key': at(`${vm}/node-keys.vm.test.ts`),
  'volume rotate-keys': at(`${vm}/node-keys.vm.test.ts`),

  ...Object.fromEntries(
    ['cpu-profile', 'heap-snapshot'].map((name) => [
      `inspect ${name}`,
      at(`${agent}/diagnostics.root.test.ts`),
    ]),
  ),

  install: imitated('install', 'machines are installed by the same call (install.vm.test.ts)'),
  reset: imitated('reset', 'a machine is reset by the same call (reset-check.ts)'),
  rollback: imitated('upgrade', 'a machine goes back by the same call (power-cut-story.ts)'),
  ...Object.fromEntries(
    ['snapshot', 'status'].map((name) => [`kvstore ${name}`, at(`${vm}/kvstore.vm.test.ts`)]),
  ),
  ...Object.fromEntries(
    [
      'alarm disarm',
      'alarm list',
      'downgrade cancel',
      'downgrade enable',
      'downgrade validate',
      'forfeit-leadership',
      'leave',
      'members',
      'remove-member',
    ].map((name) => [`kvstore ${name}`, at(`${agent}/kvstore.root.test.ts`)]),
  ),
  ...Object.fromEntries(
    ['defrag', 'recover-space'].map((name) => [
      `kvstore ${name}`,
      at(`${agent}/kvstore-recovery.root.test.ts`),
    ]),
  ),
  ...Object.fromEntries(
    [
      '__complete',
      'cluster chaos',
      'cluster create container',
      'cluster create dev',
      'cluster create vm',
      'cluster destroy',
      'cluster disk attach',
      'cluster disk detach',
      'cluster disk list',
      'cluster disk resize',
      'cluster doors',
      'cluster list',
      'cluster logs',
      'cluster power',
      'cluster reboot',
      'cluster show',
      'cluster start',
      'cluster stop',
      'cluster sync',
      'completion',
      'config add',
      'config context',
      'config contexts',
      'config endpoint',
      'config info',
      'config merge',
      'config new',
      'config node',
      'config proxy-url',
      'config remove',
      'config rename',
      'gen ca',
      'gen config',
      'gen crt',
      'gen csr',
      'gen key',
      'gen keypair',
      'gen secrets',
      'gen secureboot database',
      'gen secureboot pcr',
      'gen secureboot uki',
      'image cache-cert-gen',
      'image cache-create',
      'image cache-serve',
      'image cache-verify',
      'image default',
      'image orch-bundle',
      'image os-bundle',
      'inject serviceaccount',
      'kvstore verify',
      'machineconfig diff',
      'machineconfig explain',
      'machineconfig gen',
      'machineconfig migrate',
      'machineconfig patch',
      'machineconfig split',
      'reference',
      'remote-provision-launch',
      'validate',
    ].map((name) => [name, 'local' as const]),
  ),
};
