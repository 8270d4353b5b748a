import type { KnownFlag, KnownFlags } from './known-flags.ts';

const none = '';

/** Times are kept as milliseconds. */
const minutes = (count: number): string => String(count * 60_000);

const everywhere: readonly KnownFlag[] = [
  ['-c, --cluster', 'value', none],
  ['--context', 'value', none],
  ['-e, --endpoints', 'strings', none],
  ['-n, --nodes', 'strings', 'any'],
  ['--authv1-keys-dir', 'value', 'any'],
  ['--osconfig', 'value', 'any'],
];

const maintenance: readonly KnownFlag[] = [
  ['-i, --insecure', 'bool', false],
  ['--cert-fingerprint', 'strings', 'any'],
];

const applied: readonly KnownFlag[] = [
  ['--dry-run', 'bool', false],
  ['-m, --mode', 'value', 'auto', ['auto', 'no-reboot', 'staged', 'try']],
  ['--timeout', 'value', minutes(1)],
];

const waited: readonly KnownFlag[] = [
  ['--wait', 'bool', true],
  ['--debug', 'bool', false],
  ['--timeout', 'value', minutes(30)],
];

const namespaces = ['system', 'cri', 'taloscontainers'];
const ofImages: KnownFlag = ['--namespace', 'value', 'cri', ['system', 'cri', 'inmem', 'taloscontainers']];

/** Every flag of the interface but those of clusters. */
export const interfaceFlags: KnownFlags = {
  '': everywhere,
  'apply-config': [
    ['-f, --file', 'value', none],
    ['-p, --config-patch', 'stringArray', none],
    ...applied,
    ...maintenance,
  ],
  edit: [...applied, ['--namespace', 'value', 'any']],
  patch: [
    ['-p, --patch', 'stringArray', none],
    ['--patch-file', 'value', none],
    ...applied,
    ['--namespace', 'value', 'any'],
  ],
  'machineconfig patch': [
    ['-o, --output', 'value', 'any'],
    ['-p, --patch', 'stringArray', none],
  ],
  bootstrap: [
    ['--recover-from', 'value', none],
    ['--recover-skip-hash-check', 'bool', false],
  ],
  reboot: [
    ['-m, --mode', 'value', 'default', ['default', 'force', 'powercycle']],
    ['--drain', 'bool', false],
    ['--drain-timeout', 'value', minutes(5)],
    ...waited,
    ['--progress', 'value', 'auto', ['auto', 'plain']],
  ],
  reset: [
    ['--graceful', 'bool', true],
    ['--reboot', 'bool', false],
    ['--wipe-mode', 'value', 'all', ['all', 'system-disk', 'user-disks']],
    ['--system-labels-to-wipe', 'strings', 'any'],
    ['--user-disks-to-wipe', 'strings', 'any'],
    ...waited,
  ],
  restart: [
    ['-k, --orch', 'bool', false],
    ['--namespace', 'value', 'any', ['orch']],
  ],
  'rotate-ca': [
    ['--control-plane-nodes', 'strings', 'any'],
    ['--dry-run', 'bool', true],
  ],
  get: [
    ['-o, --output', 'value', 'table'],
    ['-w, --watch', 'bool', false],
    ['--namespace', 'value', 'any'],
    ['-i, --insecure', 'bool', false],
  ],
  list: [
    ['-d, --depth', 'value', '1'],
    ['-H, --humanize', 'bool', false],
    ['-l, --long', 'bool', false],
    ['-r, --recurse', 'bool', false],
    ['-t, --type', 'strings', 'any'],
  ],
  logs: [
    ['-f, --follow', 'bool', false],
    ['--tail', 'value', '-1'],
    ['--kind', 'value', 'service', ['container', 'vm', 'service']],
    ['--namespace', 'value', 'system', namespaces],
    ...maintenance,
  ],
  containers: [
    ['--namespace', 'value', 'system', namespaces],
    ['-k, --orch', 'bool', false],
  ],
  stats: [['--namespace', 'value', 'system', namespaces]],
  dmesg: [['-f, --follow', 'bool', false], ['--tail', 'bool', false], ...maintenance],
  memory: [['-v, --verbose', 'bool', false], ...maintenance],
  processes: [['-s, --sort', 'value', 'rss', ['rss', 'cpu']]],
  cgroups: [
    ['--preset', 'value', none, ['cpu', 'cpuset', 'io', 'memory', 'process', 'psi', 'swap']],
    ['--schema-file', 'value', none],
    ['--skip-cri-resolve', 'bool', false],
  ],
  diskfree: [
    ['-b, --bytes', 'bool', false],
    ['-i, --inodes', 'bool', false],
  ],
  netstat: [
    ['-a, --all', 'bool', false],
    ['-x, --extend', 'bool', false],
    ['-4, --ipv4', 'bool', false],
    ['-6, --ipv6', 'bool', false],
    ['-l, --listening', 'bool', false],
    ['-k, --pods', 'bool', false],
    ['-p, --programs', 'bool', false],
    ['-w, --raw', 'bool', false],
    ['-t, --tcp', 'bool', false],
    ['-o, --timers', 'bool', false],
    ['-u, --udp', 'bool', false],
    ['-U, --udplite', 'bool', false],
    ['-v, --verbose', 'bool', false],
  ],
  pcap: [
    ['-i, --interface', 'strings', 'eth0'], // several, too
    ['-o, --output', 'value', 'any'],
    ['--bpf-filter', 'value', none],
    ['--duration', 'value', 'any'],
    ['--promiscuous', 'bool', false],
  ],
  dashboard: [['-d, --update-interval', 'value', minutes(0.05)]],
  'inspect dependencies': [['--with-resources', 'bool', false]],
  health: [
    ['--control-plane-nodes', 'strings', 'any'],
    ['--worker-nodes', 'strings', 'any'],
    ['--init-node', 'value', none],
    ['--orch-endpoint', 'value', none],
    ['--run-e2e', 'bool', false],
    ['--server', 'bool', true],
    ['--wait-timeout', 'value', minutes(20)],
  ],
  'meta write': maintenance,
  'meta delete': maintenance,
  debug: [
    ['--args', 'strings', none],
    ['--namespace', 'value', 'inmem', ['system', 'inmem']],
  ],
  'image list': [ofImages],
  'image pull': [ofImages],
  'image remove': [ofImages],
  'image os-bundle': [
    ['--overlays', 'bool', true],
    ['--extensions', 'bool', true],
  ],
  'image cache-create': [
    ['--images', 'strings', none],
    ['--image-cache-path', 'value', none],
    ['--image-layer-cache-path', 'value', none],
    ['--force', 'bool', false],
    ['--insecure', 'bool', false],
    ['--platform', 'strings', 'linux/amd64'], // several, too
  ],
  'gen key': [
    ['--name', 'value', none],
    ['-f, --force', 'bool', false],
  ],
  'gen keypair': [
    ['--ip', 'value', none],
    ['--organization', 'value', none],
    ['-f, --force', 'bool', false],
  ],
  'gen secrets': [
    ['--from-controlplane-config', 'value', none],
    ['-p, --from-orch-pki', 'value', none],
    ['-t, --orch-bootstrap-token', 'value', 'any'],
    ['-o, --output-file', 'value', 'secrets.yaml'],
    ['--os-version', 'value', 'any'],
    ['-f, --force', 'bool', false],
  ],
  'gen secureboot database': [
    ['-o, --output', 'value', '_out'],
    ['--enrolled-certificate', 'stringArray', '_out/uki-signing-cert.pem'], // the interface takes one
    ['--signing-certificate', 'value', '_out/uki-signing-cert.pem'],
    ['--signing-key', 'value', '_out/uki-signing-key.pem'],
  ],
  'gen secureboot pcr': [['-o, --output', 'value', '_out']],
  'gen secureboot uki': [
    ['-o, --output', 'value', '_out'],
    ['--common-name', 'value', 'Test UKI Signing Key'],
  ],
  'inject serviceaccount': [
    ['-f, --file', 'value', none],
    ['-r, --roles', 'strings', 'os:reader'],
  ],
};
