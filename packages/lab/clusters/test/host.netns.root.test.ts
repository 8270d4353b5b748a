import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { output, privateNetwork, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { tinyMachine } from '../../machine/test/guests.ts';
import type { ClusterView } from '../src/index.ts';

/** Nobody else's on this computer. */
const uid = 54_323;
const fixture = join(import.meta.dirname, 'fixtures', 'unprivileged.ts');
const asUser = [
  `--reuid=${uid}`,
  `--regid=${uid}`,
  '--clear-groups',
  '--bounding-set=-all',
  '--no-new-privs',
];

/** What an administrator has made of this computer's network. */
const made: readonly string[] = [
  'ip link add host0 type bridge',
  'ip link set host0 addrgenmode none', // an address of its own would be proven for a while
  'ip address add 192.0.2.1/24 dev host0',
  'ip address add 2001:db8::1/64 dev host0 nodad',
  'ip link set host0 up',
  'ip route add 198.51.100.0/24 via 192.0.2.2',
  'ip route add 2001:db8:1::/48 via 2001:db8::2',
  'ip rule add from 192.0.2.1 table 100',
  'nft add table inet filter',
  'nft add chain inet filter forward { type filter hook forward priority 0 ; policy drop ; }',
  'nft add rule inet filter forward iifname "host0" counter drop',
];

async function said(words: string): Promise<string> {
  const [file = '', ...more] = words.split(' ');
  return await output([file, ...more]);
}

/** What names the cable of a cluster, which is there for root while the cluster is. */
const cable = /\bos[\da-f]{8}\b/;

/** All of it, as the programs of its administrators show it. */
async function network(): Promise<Readonly<Record<string, string>>> {
  const shown: Record<string, string> = {};
  for (const words of [
    'nft list ruleset',
    'ip -o link',
    'ip -o link show type bridge',
    'ip -o address',
    'ip route show table all',
    'ip -6 route show table all',
    'ip rule',
    'ip -6 rule',
    'ip -o neighbour',
    'bridge link',
    'bridge fdb',
    'sysctl -a --pattern ^net\\.(ipv4|ipv6)\\.(conf|ip_forward|neigh)',
  ])
    shown[words] = await said(words);
  const resolver = await stat('/etc/resolv.conf');
  shown['resolver'] = `${await readFile('/etc/resolv.conf', 'utf8')} ${resolver.ino} ${resolver.mtimeMs}`;
  shown['namespaces'] = (await readdir('/run/netns').catch(() => []))
    .filter((name) => !name.startsWith('os-'))
    .join();
  return shown;
}

/** The lines that do not name the cable of a cluster. */
function without(text: string): string {
  return text
    .split('\n')
    .filter((line) => !cable.test(line))
    .join('\n');
}

const users = [
  ['root', 0, [process.execPath]],
  ['a user without privileges', uid, ['setpriv', ...asUser, '--', process.execPath]],
] as const;

/** Made once for all tests of the file. */
let own: Promise<void> | undefined;

async function hostNetwork(): Promise<void> {
  await privateNetwork();
  for (const words of made) await said(words);
}

for (const [who, owner, argv] of users)
  testWith(
    root,
    program('qemu-system-x86_64'),
    program('dnsmasq'),
    program('nft'),
  )(
    `a cluster of ${who} changes nothing of the host’s network but by its own cable, and leaves nothing`,
    async (t) => {
      await (own ??= hostNetwork());
      const above = await temporaryDirectory(t);
      await chmod(above, 0o711);
      const home = join(above, 'a home of somebody');
      await mkdir(home);
      await tinyMachine(home, 'deaf');
      for (const path of [home, join(home, 'boot.disk')]) await chown(path, owner, owner);
      const perform = async (verb: string): Promise<readonly ClusterView[]> => {
        const [file, ...words] = [...argv, '--conditions=source', fixture, verb, home, 'one'];
        const env = { ...process.env, HOME: home };
        const { stdout } = await promisify(execFile)(file, words, { cwd: '/', env });
        return JSON.parse(stdout) as readonly ClusterView[];
      };
      t.teardown(() => perform('destroy').catch(() => {}));
      const before = await network();
      const unchanged = (now: Readonly<Record<string, string>>): void => {
        for (const [what, text] of Object.entries(now)) t.is(text, before[what] ?? '', what);
      };
      const [made] = await perform('create');
      t.is(made?.nodes[0]?.state, 'running');
      t.is(made?.network.access, owner === 0 ? 'addresses' : 'doors');
      await perform('chaos');
      const now = await network();
      const others = Object.entries(now).map(([what, text]) => [what, without(text)] as const);
      unchanged(Object.fromEntries(others));
      const routes = now['ip route show table all']?.split('\n').filter((line) => cable.test(line)) ?? [];
      t.is(routes.filter((line) => line.startsWith('10.91.0.0/24 via 169.254.')).length, owner === 0 ? 1 : 0);
      t.true(
        routes.every((line) => /169\.254\.|^multicast /.test(line)),
        routes.join('\n'),
      );
      await perform('destroy');
      unchanged(await network());
      t.deepEqual(await readdir(join(home, 'clusters')), []);
    },
  );
