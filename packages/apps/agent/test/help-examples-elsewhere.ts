/** Where an example is proven that is not run on an agent of this machine, and why it is not. */
export type Elsewhere = { readonly because: string; readonly provenBy: string };

const changes = 'changes the node that all lines behind it ask';
const noVolume = 'is for volumes, and this machine has none';
const waits = 'waits for what does not come by itself';
const osctl = 'packages/apps/osctl/test';
const agent = 'packages/apps/agent/test';

function all(lines: readonly string[], because: string, provenBy: string): [string, Elsewhere][] {
  return lines.map((line) => [line, { because, provenBy }]);
}

/** Examples that are only parsed here. */
const lines: Readonly<Record<string, Elsewhere>> = Object.fromEntries([
  ...all(
    ['osctl events', 'osctl events --duration 10m -o jsonpath={.message}'],
    waits,
    `${osctl}/events.test.ts`,
  ),
  ...all(['osctl dmesg -f --tail'], waits, `${osctl}/dmesg.test.ts`),
  ...all(
    ['osctl get vs -w', "osctl get vs --ids 'u-*' --wait-for jsonpath=.spec.phase=ready"],
    waits,
    `${osctl}/get.test.ts`,
  ),
  ...all(
    [
      'osctl wait volumestatus u-data --for jsonpath=.spec.phase=ready',
      'osctl wait services --for jsonpath=.spec.healthy=true --timeout 2m',
      "osctl wait volumestatus --ids 'u-*' --for jsonpath=.spec.phase=ready",
    ],
    waits,
    `${osctl}/wait.test.ts`,
  ),
  ...all(
    ['osctl cgroups /kubepods --preset cpu -w', 'osctl get disks --why sdb'],
    'names what this machine may have or not',
    `${osctl}/why.test.ts`,
  ),
  ...all(
    [
      'osctl read -f --offset -4096 /var/log/daemon.log',
      'osctl read --offset 1048576 --length 512 /var/lib/data.bin > sector',
    ],
    'names what this machine may have or not',
    `${osctl}/files.test.ts`,
  ),
  ...all(
    ['osctl copy /var/log logs', 'osctl cp /sys/fs/cgroup - | tar -tzf -'],
    'is as long, and as readable, as this machine has it',
    `${osctl}/copy.test.ts`,
  ),
  ...all(
    [
      'osctl pcap --fetch-from-node dns.pcap -o dns.pcap',
      'osctl pcap -i any --by process --duration 10s',
      'osctl pcap -i any -o - | tshark -r -',
      "osctl pcap -i eth0 --bpf-filter 'tcp port 443' --duration 10s",
      'osctl pcap -i eth0 -o ring.pcap --file-size 10MB --keep 5',
      'osctl pcap -i eth0,eth1 -o both.pcapng',
    ],
    'looks at the traffic of this machine',
    `${osctl}/pcap.netns.root.test.ts`,
  ),
  ...all(
    [
      'osctl rotate-ca --dry-run=false --undo --with-secrets secrets.yaml',
      'osctl rotate-ca --dry-run=false --until issue',
      'osctl rotate-ca --dry-run=false --with-secrets secrets.yaml',
    ],
    'changes who is trusted, for all lines behind it',
    `${agent}/rotate-ca.root.test.ts`,
  ),
  ...all(
    ["osctl patch mc -p '{kind: UserVolumeConfig, name: data, mount: {secure: false}}'"],
    'changes a volume, and this machine is given none',
    `${agent}/patches.root.test.ts`,
  ),
  ...all(
    ['osctl dashboard', 'osctl dashboard -n 10.0.0.5,10.0.0.6 -d 1s'],
    'draws on a terminal',
    `${agent}/killed-under-clients.root.test.ts`,
  ),
  ...all(
    ['osctl time', 'osctl time --check pool.ntp.org', 'osctl time -o jsonpath={.offsetMicros}'],
    'asks a server of the world',
    `${agent}/check-time.test.ts`,
  ),
  ...all(
    ['osctl health', 'osctl health --control-plane-nodes 10.0.0.2,10.0.0.3,10.0.0.4 --worker-nodes 10.0.0.5'],
    'waits until a whole cluster is well',
    `${osctl}/health.test.ts`,
  ),
  ...all(
    [
      'osctl image cache-create --images - --image-cache-path cache --platform linux/amd64,linux/arm64',
      'osctl image cache-create --images registry.k8s.io/pause:3.10.1 --image-cache-path cache',
      'osctl image cache-serve --image-cache-path cache',
      'osctl image cache-serve --image-cache-path cache --address 10.0.0.9:3172 --tls-cert-file tls.crt --tls-key-file tls.key',
    ],
    'takes images from registries of the world, or serves until it is ended',
    `${osctl}/image-local.test.ts`,
  ),
  ...all(
    ['osctl image os-bundle --registry registry.example.com/os'],
    'asks a registry',
    `${osctl}/image-os-bundle.test.ts`,
  ),
  ...all(
    [
      'osctl inspect cpu-profile -n 10.0.0.5 --duration 30s -o busy.cpuprofile',
      'osctl inspect cpu-profile -n 10.0.0.5 -o agent.cpuprofile',
      'osctl inspect heap-snapshot -n 10.0.0.5 -o agent.heapsnapshot',
    ],
    'takes long, and has the agent stand still',
    `${agent}/diagnostics.root.test.ts`,
  ),
  ...all(
    ['osctl support -i -n 10.0.0.5', 'osctl support -n 10.0.0.5,10.0.0.6 -O /tmp'],
    'is for a node without a configuration, or writes where others do',
    `${osctl}/support.test.ts`,
  ),
]);

/** Commands of which every example is only parsed here, by how the example begins. */
const commandsElsewhere: readonly (readonly [beginnings: readonly string[], elsewhere: Elsewhere])[] = [
  [['osctl apply-config'], { because: changes, provenBy: `${osctl}/apply-config.test.ts` }],
  [['osctl edit'], { because: 'opens an editor', provenBy: `${agent}/patches.root.test.ts` }],
  [['osctl wipe'], { because: changes, provenBy: `${osctl}/wipe.test.ts` }],
  [['osctl volume'], { because: noVolume, provenBy: `${osctl}/volume.test.ts` }],
  [['osctl trim'], { because: noVolume, provenBy: `${osctl}/trim.test.ts` }],
  [['osctl reset'], { because: changes, provenBy: `${osctl}/reset.test.ts` }],
  [['osctl install'], { because: changes, provenBy: `${osctl}/install.test.ts` }],
  [['osctl upgrade', 'osctl rollback'], { because: changes, provenBy: `${osctl}/upgrade.test.ts` }],
  [['osctl reboot', 'osctl shutdown'], { because: changes, provenBy: `${osctl}/reboot.test.ts` }],
  [['osctl restart'], { because: 'this machine keeps no services', provenBy: `${osctl}/service.test.ts` }],
  [['osctl meta'], { because: 'this machine has no META', provenBy: `${osctl}/meta.test.ts` }],
  [
    ['osctl kvstore', 'osctl bootstrap'],
    { because: 'this machine is no member', provenBy: `${agent}/kvstore-guide.root.test.ts` },
  ],
  [['osctl validate -c'], { because: changes, provenBy: `${osctl}/validate.test.ts` }],
  [
    ['context ', 'merge', 'add', 'rename', 'remove'].map((each) => `osctl config ${each}`),
    { because: 'names contexts and files of a client config', provenBy: `${osctl}/config.test.ts` },
  ],
  [
    ['osctl image cache-verify'],
    { because: 'looks at a cache that is there', provenBy: `${osctl}/image-local.test.ts` },
  ],
];

/** Where a line is proven that is only parsed here; undefined: it is run. */
export function elsewhere(line: string): Elsewhere | undefined {
  const [, found] =
    commandsElsewhere.find(([beginnings]) => beginnings.some((each) => line.startsWith(each))) ?? [];
  return lines[line] ?? found;
}

/** What no example is like any more. */
export function unused(examples: ReadonlySet<string>): readonly string[] {
  const beginnings = commandsElsewhere.flatMap(([all]) => all);
  return [
    ...Object.keys(lines).filter((line) => !examples.has(line)),
    ...beginnings.filter((each) => [...examples].every((line) => !line.startsWith(each))),
  ];
}

/** Every file that is named above. */
export const proofs: readonly string[] = [
  ...Object.values(lines),
  ...commandsElsewhere.map(([, each]) => each),
].map(({ provenBy }) => provenBy);
