import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { changeState, ClusterDirectory, makePlan, readRequest } from '@nodecore/clusters';
import { parse } from '@nodecore/config';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import { parse as parseYaml } from 'yaml';

import { configurationOf } from '../src/cluster/documents.ts';
import { minutesOf } from '../src/cluster/create-vm.ts';
import { idleKinds } from '../src/cluster/node-documents.ts';
import { fleetFiles } from '../src/cluster/files.ts';
import { fleetUrlOf, linkDocument, refusePatches } from '../src/cluster/fleet.ts';
import { takeAway } from '../src/cluster/take-away.ts';
import { createNodeSecrets } from '../src/gen/secrets.ts';
import { osctl } from './command-line.ts';
import { plannedCluster } from './planned-cluster.ts';

const none = { all: [], controlplane: [], worker: [] };

const flags = {
  name: 'example',
  cidr: '10.5.0.0/24',
  controlplanes: '2',
  workers: '1',
  cpusControlplanes: '1',
  cpusWorkers: '1',
  memoryControlplanes: '768MiB',
  memoryWorkers: '768MiB',
  disks: ['virtio:4GiB'],
  presets: ['disk-image', 'secureboot'],
  schematicId: 'a'.repeat(64),
  osVersion: 'v1.14.0-alpha.0',
  imageFactoryUrl: 'http://127.0.0.1:8081',
};

test('machines of a fleet get what they dial it by and nothing else, at the gateway when it is on this computer', async (t) => {
  const token = 'v1:a-join-token';
  const url = `https://127.0.0.1:8080/?jointoken=${token}&fleetca=sha256:${'a'.repeat(64)}`;
  const plan = makePlan(readRequest({ ...flags, fleetApiEndpoint: url }), '0'.repeat(32));
  t.false(JSON.stringify(plan).includes(token), 'the plan holds no secret');
  t.deepEqual(
    plan.lan?.outlets.map(({ port }) => port),
    [8081, 8080],
  );
  const directory = new ClusterDirectory(await temporaryDirectory(t), 'example');
  await directory.make();
  const { configurations, osconfig } = await fleetFiles(directory, plan, linkDocument(url, plan));
  t.is(osconfig, undefined);
  t.deepEqual([...configurations.keys()], ['example-machine-1', 'example-machine-2', 'example-machine-3']);
  for (const [name, text] of configurations) {
    using configuration = parse(text, { file: name });
    t.deepEqual(
      configuration.documents.map(({ kind }) => kind),
      ['LinkAgentConfig'],
    );
    t.is(
      Buffer.from(configuration.get('LinkAgentConfig')?.apiUrl.bytes ?? []).toString(),
      `https://10.5.0.1:8080/?jointoken=${token}&fleetca=sha256:${'a'.repeat(64)}`,
    );
    t.is(await readFile(join(directory.secrets, `${name}.yaml`), 'utf8'), text);
  }
  const elsewhere = 'https://fleet.example/?jointoken=x';
  t.true(linkDocument(elsewhere, plan).includes(elsewhere));
  const file = join(await temporaryDirectory(t), 'url');
  await writeFile(file, `${url}\n`);
  t.is(await fleetUrlOf(`@${file}`), url);
  t.notThrows(() => refusePatches([]));
  t.throws(() => refusePatches(['{}']), { message: /--config-patch….*--fleet-api-endpoint/ });
});

test('the first node begins the kvstore, the second joins it, a worker has none, and doors are in the certificate', async (t) => {
  const request = readRequest(flags);
  const plan = makePlan(request, '0'.repeat(32));
  const secrets = await createNodeSecrets();
  const patches = { ...none, worker: [{ text: 'version: v1alpha1\nmachine: {certSANs: [patched]}' }] };
  const [first, second, worker] = plan.nodes.map((node) => configurationOf(plan, node, secrets, patches));
  for (const [text, endpoints] of [
    [first, []],
    [second, ['https://10.5.0.2:2379']],
    [worker, undefined],
  ] as const) {
    using configuration = parse(text ?? '', { file: 'x' });
    t.deepEqual(configuration.machine?.cluster?.kvstore?.endpoints, endpoints);
    for (const name of ['STATE', 'EPHEMERAL']) t.regex(text ?? '', new RegExp(`name: ${name}\\nencryption:`));
  }
  t.true(first?.includes('127.5.0.2'));
  t.true(worker?.includes('patched'));
  t.false(first?.includes('patched'));
});

test('a machine that starts from a CD or the network installs itself from the factory at the gateway, on its first disk', async (t) => {
  const secrets = await createNodeSecrets();
  const documentOf = (more: Partial<typeof flags>): string | undefined => {
    const plan = makePlan(readRequest({ ...flags, disks: ['nvme:4GiB'], ...more }), '0'.repeat(32));
    const texts = configurationOf(plan, plan.nodes[1]!, secrets, none).split('---\n');
    return texts.find((text) => text.includes('kind: UnattendedInstallConfig'));
  };
  t.is(documentOf({}), undefined, 'an image on the disk is there already');
  const whole = `metal-installer/${'a'.repeat(64)}:v1.14.0-alpha.0`;
  for (const [presets, name] of [
    ['pxe', whole],
    ['iso', whole],
    ['iso-secureboot', whole.replace('installer', 'installer-secureboot')],
  ] as const) {
    const text = documentOf({ presets: [presets] });
    t.true(text?.includes(`image: 10.5.0.1:8081/${name}\n`), text);
    t.true(text?.includes('match: disk.serial == "2-0"\n'), text);
    t.false(text?.includes('wipe'), 'nothing that is on a disk is wiped');
  }
  t.true(
    documentOf({ presets: ['iso'], imageFactoryUrl: 'https://images.example' })?.includes(
      `image: images.example/${whole}`,
    ),
  );
  t.true(documentOf({ presets: ['iso'], disks: ['mmc:4GiB'] })?.includes('disk.dev_path == "/dev/mmcblk0"'));
});

test('volumes are encrypted as asked for, and the user’s own are on the disk that is made for them', async (t) => {
  const encryption = {
    state: true,
    ephemeral: true,
    userVolumes: true,
    keys: ['tpm', 'uuid', 'kms'],
  } as const;
  const userVolumes = [[{ name: 'data', sizeBytes: 2 ** 30 }]];
  const request = { ...readRequest({ ...flags, presets: ['disk-image'] }), encryption, userVolumes };
  const plan = makePlan(request, '0'.repeat(32));
  const [, node] = plan.nodes;
  const text = configurationOf(plan, node!, await createNodeSecrets(), none);
  using configuration = parse(text, { file: 'x' });
  t.truthy(configuration);
  const documents = text
    .split('---\n')
    .slice(1)
    .map((each) => parseYaml(each) as Readonly<Record<string, unknown>>);
  const keys = [
    { slot: 0, tpm: {} },
    { slot: 1, nodeID: {} },
    { slot: 2, kms: { endpoint: 'grpc://10.5.0.1:4050' } },
  ];
  const locked = keys.map((key) => ({ ...key, lockToState: true }));
  const named = (name: string) => documents.find((each) => each['name'] === name);
  t.like(named('STATE'), { kind: 'VolumeConfig', encryption: { provider: 'luks2', keys } });
  t.like(named('EPHEMERAL'), { kind: 'VolumeConfig', encryption: { provider: 'luks2', keys: locked } });
  t.like(named('data'), {
    kind: 'UserVolumeConfig',
    provisioning: {
      diskSelector: { match: 'disk.serial == "2-volumes-0"' },
      minSize: 2 ** 30,
      maxSize: 2 ** 30,
    },
    encryption: { provider: 'luks2', keys },
  });
});

test('nodes send what they say to the gateway when that is asked for, and it is printed', async (t) => {
  const request = { ...readRequest(flags), jsonLogs: true };
  const plan = makePlan(request, '0'.repeat(32));
  const text = configurationOf(plan, plan.nodes[0]!, await createNodeSecrets(), none);
  t.regex(
    text,
    /logging:\n {4}destinations:\n {6}- endpoint: tcp:\/\/10\.5\.0\.1:4003\n {8}format: json_lines\n/,
  );
  const { state, first } = await plannedCluster(t, 'on the console\n');
  const path = new ClusterDirectory(state, 'example').services(first);
  await writeFile(path, '{"msg":"of a service"}\n');
  const logs = ['cluster', 'logs', '--state', state, '--name', 'example', first.name];
  t.is((await osctl([...logs, '--services'])).out, '{"msg":"of a service"}\n');
  t.is((await osctl(logs)).out, 'on the console\n');
});

test('nodes keep what they are told of the orchestrator and of each other, by what they are', async (t) => {
  const settings = {
    orch: {
      version: 'v1.34.2',
      dnsDomain: 'svc.example',
      balancerPort: 7446,
      networkUrl: 'https://x.example/cni.yaml',
    },
    discovery: 'https://d.example',
    mesh: true as const,
    noKexec: true as const,
    bgp: true as const,
  };
  const plan = makePlan({ ...readRequest({ ...flags, presets: ['disk-image'] }), settings }, '0'.repeat(32));
  const secrets = await createNodeSecrets();
  const documentsOf = (at: number): Readonly<Record<string, Readonly<Record<string, unknown>>>> => {
    const texts = configurationOf(plan, plan.nodes[at]!, secrets, none).split('---\n').slice(1);
    const all = texts.map((text) => parseYaml(text) as Readonly<Record<string, unknown>>);
    return Object.fromEntries(all.map((each) => [String(each['kind']), each]));
  };
  const [member, worker] = [documentsOf(0), documentsOf(2)];
  for (const node of [member, worker]) {
    t.like(node['OrchKubeletConfig'], { image: 'registry.k8s.io/kubelet:v1.34.2' });
    t.like(node['OrchNetworkConfig'], { dnsDomain: 'svc.example' });
    t.like(node['OrchBalancerConfig'], { port: 7446 });
    t.like(node['DiscoveryServiceConfig'], { name: 'default', endpoint: 'https://d.example' });
    t.like(node['MeshConfig'], { enabled: true });
    t.like(node['BGPInstanceConfig'], {
      localASN: 65_001,
      neighbors: [{ address: '10.5.0.1', peerASN: 65_000 }],
    });
    t.like(node['SysctlConfig'], { params: { 'kernel.kexec_load_disabled': '1' } });
  }
  t.like(member['OrchAPIServerConfig'], { image: 'registry.k8s.io/kube-apiserver:v1.34.2' });
  t.like(member['OrchExternalManifestConfig'], { name: 'network', url: 'https://x.example/cni.yaml' });
  for (const kind of ['OrchAPIServerConfig', 'OrchSchedulerConfig', 'OrchExternalManifestConfig'])
    t.false(kind in worker, kind);
  const text = configurationOf(plan, plan.nodes[2]!, secrets, none);
  t.deepEqual(
    idleKinds(text, 'x').toSorted(),
    [
      'BGPInstanceConfig',
      'DiscoveryServiceConfig',
      'MeshConfig',
      'OrchBalancerConfig',
      'OrchKubeletConfig',
      'OrchNetworkConfig',
    ],
    'what is told to nobody who acts on it is said',
  );
});

test('flags of earlier versions are understood, and said to be so', async (t) => {
  const state = await temporaryDirectory(t);
  const place = ['--state', state, '--name', 'nothing'];
  const former = await osctl(['cluster', 'create', ...place, '--mtu', '10']);
  t.is(former.code, 2);
  t.regex(former.error, /^osctl cluster create: this is osctl cluster create dev by now\n.*--mtu 10: /s);
  t.notRegex((await osctl(['cluster', 'create', 'dev', ...place, '--mtu', '10'])).error, /by now/);
  t.is((await osctl(['cluster', 'create', 'vmm', ...place])).code, 2);
  const shown = await osctl(['cluster', 'show', ...place, '--provisioner', 'qemu']);
  t.is(shown.code, 3);
  t.regex(shown.error, /^--provisioner is ignored/);
  for (const text of ['20m0s', '1h', '5', '0.5']) t.true(minutesOf(text) > 0, text);
  t.is(minutesOf('90s'), 1.5);
  for (const text of ['0', '25h', 'soon', ''])
    t.throws(() => minutesOf(text), { message: /--wait-timeout/ }, text);
});

test('what is wrong with chaos is said before anything is changed, and nothing is no change', async (t) => {
  const { state, first } = await plannedCluster(t, '');
  const chaos = async (...words: readonly string[]) =>
    await osctl(['cluster', 'chaos', '--state', state, '--name', 'example', ...words]);
  for (const [words, expected] of [
    [[], /what is to happen\?/],
    [['--packet-loss', '1', '--bandwidth', '-1'], /--packet-loss 1: .*--bandwidth -1: /],
    [['--jitter', '5ms'], /jitter 5 ms: at most the latency/],
    [['--off', '--latency', '1s'], /--off/],
    [['--direction', 'up', '--off'], /direction/],
  ] as const) {
    const { code, error } = await chaos(...words);
    t.is(code, 2, error);
    t.regex(error, expected);
  }
  t.is((await chaos('--off', '-n', 'nobody')).code, 3);
  const first50 = await chaos(
    '-n',
    first.name,
    '--direction',
    'to',
    '--latency',
    '50ms',
    '--packet-loss',
    '0.1',
  );
  t.regex(first50.out, new RegExp(`\\n${first.name} +to +50 ms late, 10 % lost\\n$`), first50.error);
  const all = await chaos('--bandwidth', '1000', '--packet-loss', '0', '-o', 'json');
  const { nodes } = JSON.parse(all.out) as { readonly nodes: readonly { readonly chaos: unknown }[] };
  t.deepEqual(nodes[0]?.chaos, {
    to: { latencyMs: 50, loss: 0, bandwidthKbit: 1000 },
    from: { loss: 0, bandwidthKbit: 1000 },
  });
  const off = await chaos('--off');
  t.notRegex(off.out, /CHAOS/);
});

test('all that is wrong with a cluster is said before anything is made', async (t) => {
  const state = await temporaryDirectory(t);
  const args = ['cluster', 'create', 'vm', '--state', state, '--name', '../x', '--workers', 'many'];
  const { code, error } = await osctl(args);
  t.is(code, 2);
  t.regex(error, /--name .*--workers many/);
  t.deepEqual(await readdir(state), []);
});

test('all that is wrong with a cluster for developers is said before anything is made', async (t) => {
  const state = await temporaryDirectory(t);
  const wrong = [
    '--disk-driver',
    'floppy',
    '--disk-block-size',
    '1',
    '--extra-disks-serials',
    'A',
    '--mtu',
    '10',
  ];
  const { code, error } = await osctl(['cluster', 'create', 'dev', '--state', state, ...wrong]);
  t.is(code, 2);
  t.regex(error, /"floppy" is none of.*--disk-block-size 1: .*1 for 0 extra disks.*--mtu 10: /);
  const card = ['--disk-driver', 'mmc', '--primary-disks', '2'];
  const cards = await osctl(['cluster', 'create', 'dev', '--state', state, ...card]);
  t.is(cards.code, 2);
  t.regex(cards.error, /controlplane-1: more than one mmc disk; .*worker-1: more than one mmc disk/);
  const absent = ['--vmlinuz-path', join(state, 'vmlinuz-${ARCH}')];
  const missing = await osctl(['cluster', 'create', 'dev', '--state', state, ...absent]);
  t.not(missing.code, 0);
  t.regex(missing.error, /vmlinuz-amd64 is missing/);
  t.deepEqual(await readdir(state), []);
});

test('what is no power action and no disk is refused before a machine is looked for, and a flag can be switched off', async (t) => {
  const { state, first } = await plannedCluster(t, '');
  const place = ['--state', state, '--name', 'example'];
  for (const [words, expected] of [
    [['power', first.name, 'up'], /up is none of on, off, reset, pxe/],
    [['power', first.name, 'on', '--grace-period', '5'], /--grace-period would be ignored: it goes with off/],
    [['disk', 'attach', first.name, 'floppy:1MiB'], /"floppy" is none of/],
    [['disk', 'attach', first.name, 'virtio:1MiB:serial=a b'], /option "serial=a b"/],
    [['disk', 'resize', first.name, '1-0', '5.1'], /5\.1: a size/],
  ] as const) {
    const { code, error } = await osctl(['cluster', ...words, ...place]);
    t.is(code, 2, error);
    t.regex(error, expected);
  }
  const sync = await osctl(['cluster', 'sync', ...place]);
  t.is(sync.code, 1);
  t.regex(sync.error, /the machines of example start from no kernel of this computer/);
  const listed = await osctl(['cluster', 'disk', 'list', ...place]);
  t.regex(listed.out, new RegExp(`${first.name} +1-0 +virtio +4.29 GB +planned`), listed.error);
  t.is((await osctl(['cluster', 'disk', 'detach', first.name, '1-9', ...place])).code, 3);
  const attached = await osctl(['cluster', 'disk', 'attach', first.name, 'nvme:1GiB', ...place]);
  t.regex(attached.error, /disk 1-1 attached/);
  // Whether a value is taken: what is wrong is another flag.
  const off = [
    '--with-uefi=false',
    '--with-iommu=true',
    '--disk-preallocate=false',
    '--use-vip',
    '--disk-block-size',
    '1',
  ];
  const { error } = await osctl(['cluster', 'create', 'dev', '--state', state, ...off]);
  t.regex(error, /^osctl: --disk-block-size 1: 512 or 4096\n$/);
});

test('a cluster that is not there is named, with those that are', async (t) => {
  const state = await temporaryDirectory(t);
  for (const what of [
    'show',
    'show --watch',
    'chaos --off',
    'start',
    'stop',
    'reboot',
    'logs',
    'sync',
    'destroy',
  ]) {
    const { code, error } = await osctl([
      'cluster',
      ...what.split(' '),
      '--state',
      state,
      '--name',
      'nothing',
    ]);
    t.is(code, 3);
    t.regex(error, /no cluster nothing in .*: there is none/);
  }
  t.is((await osctl(['cluster', 'list', '--state', state])).code, 0);
  const { state: there } = await plannedCluster(t, '');
  const { out } = await osctl(['cluster', 'show', '--state', there, '--name', 'example']);
  t.regex(out, /^ORCH ENDPOINT +https:\/\/10\.5\.0\.2:6443$/m);
});

test('a creation that fails takes away what it has made, and no cluster whose machines have run', async (t) => {
  const { state } = await plannedCluster(t, '');
  const directory = new ClusterDirectory(state, 'example');
  const said: string[] = [];
  const recorded = { file: join(state, 'config'), context: 'example', caFingerprint: '' };
  await changeState(directory, { phase: 'failed', contexts: [recorded] });
  await takeAway(directory, (line) => said.push(line));
  t.deepEqual(said, ['cluster example stays as it is: osctl cluster destroy --name example']);
  t.true(await directory.exists());
  await changeState(directory, { contexts: [] });
  await takeAway(directory, (line) => said.push(line));
  t.false(await directory.exists());
  await takeAway(directory, (line) => said.push(line));
  t.is(said.length, 1);
});
