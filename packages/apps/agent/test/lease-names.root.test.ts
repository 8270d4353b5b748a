import { fileURLToPath } from 'node:url';

import { command, program, root, testWith } from '@nodecore/testkit';

import { dhcpcdFlags } from '../src/dhcp/dhcp.ts';
import { leaseNamesOf } from '../src/dhcp/lease-names.ts';

/** Unpacked by the set-up, as it gets into the image. */
const dhcpcd = fileURLToPath(new URL('../../../../.cache/dhcpcd/dhcpcd', import.meta.url));

/** Both ends of a cable, and nothing of the machine: its network, /run and /var are this script's own. */
const script = `
set -e
mount -t tmpfs none /run && mount -t tmpfs none /var && mkdir -p /var/lib/dhcpcd /run/netns
ip netns add server
ip link add v0 type veth peer name v1 netns server
ip netns exec server ip addr add 10.77.0.1/24 dev v1
ip netns exec server ip link set v1 up
ip link set v0 up
ip netns exec server dnsmasq -k --conf-file=/dev/null --port=0 --interface=v1 --no-resolv --pid-file= \\
  --dhcp-leasefile=/run/leases --dhcp-range=10.77.0.10,10.77.0.20,1h --dhcp-option=6,10.77.0.53,10.77.0.54 \\
  --dhcp-option=15,example.test --dhcp-option=option:ntp-server,10.77.0.123 --dhcp-option=option:domain-search,a.example.test,b.example.test >&2 &
server=$!
"$@" v0 >&2 &
client=$!
trap 'kill $server $client; wait' EXIT
for _ in $(seq 300); do
  text=$("$1" --config /dev/null -4 --dumplease v0 2>/dev/null || true)
  case "$text" in *reason=BOUND*) break ;; esac
  sleep 0.1
done
rm -r /var/lib/dhcpcd # as when another filesystem is mounted above it
"$1" --config /dev/null -4 --dumplease v0
`;

testWith(
  root,
  program('dnsmasq'),
  program('unshare'),
)('dhcpcd says what the network has told of names, also when its files are hidden', async (t) => {
  const unshared = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const run = ['sh', '-c', script, 'sh', dhcpcd].concat(dhcpcdFlags);
  const { code, stdout, stderr } = await command(['unshare', ...unshared, ...run]);
  t.is(code, 0, stderr);
  t.deepEqual(leaseNamesOf(stdout), {
    layer: 'operator',
    nameservers: [{ address: '10.77.0.53' }, { address: '10.77.0.54' }],
    searchDomains: ['a.example.test', 'b.example.test'],
    timeServers: ['10.77.0.123'],
  });
});
