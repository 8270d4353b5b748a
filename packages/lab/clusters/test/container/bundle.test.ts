import { readFile } from 'node:fs/promises';

import test from 'ava';

import { type BundleParts, bundleOf } from '../../src/container/bundle.ts';
import { nodeCapabilities } from '../../src/container/capabilities.ts';

const parts: BundleParts = {
  id: 'os-0123456789abcdef-1',
  hostname: 'example-worker-1',
  root: '/cache/roots/aa',
  agent: '/usr/lib/nodeos/agent.cjs',
  state: '/clusters/example/nodes/1/state',
  data: '/clusters/example/nodes/1/data',
  resolver: '/clusters/example/nodes/1/resolv.conf',
  network: '/run/netns/os-0123456789abcdef-1',
  cpus: 0.5,
  memoryMib: 512,
  mounts: [
    { type: 'bind', source: '/srv', target: '/srv', isReadOnly: true },
    { type: 'tmpfs', target: '/scratch' },
  ],
  configuration: 'version: v1alpha1\n',
  capabilities: ['CAP_CHOWN', 'CAP_NET_ADMIN'],
  cgroups: 'v1',
};

test('the bundle of a node is this one', async (t) => {
  const golden = await readFile(new URL('config.json', import.meta.url), 'utf8');
  t.deepEqual(bundleOf(parts), JSON.parse(golden));
});

test('a node that has its configuration is started without one', (t) => {
  const { process } = bundleOf({ ...parts, configuration: undefined }) as {
    readonly process: { readonly env: readonly string[] };
  };
  t.true(process.env.includes('PLATFORM=container'));
  t.false(process.env.some((variable) => variable.startsWith('USERDATA')));
});

test('a container has a cgroup namespace where cgroups are of version 2', (t) => {
  type Linux = { readonly linux: { readonly namespaces: readonly { readonly type: string }[] } };
  const kinds = (cgroups: BundleParts['cgroups']): readonly string[] =>
    (bundleOf({ ...parts, cgroups }) as Linux).linux.namespaces.map(({ type }) => type);
  t.deepEqual(kinds('v2'), ['pid', 'ipc', 'uts', 'mount', 'cgroup', 'network']);
  t.deepEqual(kinds('hybrid'), ['pid', 'ipc', 'uts', 'mount', 'network']);
});

test('a capability that the keeper lacks is not asked for, and the clock is never', (t) => {
  const all = nodeCapabilities('CapEff:\t0\nCapBnd:\t000001ffffffffff\n');
  t.true(all.includes('CAP_SYS_ADMIN') && all.includes('CAP_SYS_RESOURCE'));
  for (const own of [
    'CAP_SYS_TIME',
    'CAP_SYS_MODULE',
    'CAP_SYS_BOOT',
    'CAP_SYS_RAWIO',
    'CAP_DAC_READ_SEARCH',
  ])
    t.false(all.includes(own), own);
  const without = nodeCapabilities('CapBnd:\t000001fffeffffff\n');
  t.deepEqual(
    without,
    all.filter((name) => name !== 'CAP_SYS_RESOURCE'),
  );
  t.deepEqual(nodeCapabilities('CapBnd:\t0000000000000000\n'), []);
});
