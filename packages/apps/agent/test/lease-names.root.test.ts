import { fileURLToPath } from 'node:url';

import { command, program, root, testWith } from '@nodecore/testkit';

import { dhcpcdArgv } from '../src/dhcp/dhcp.ts';
import { leaseNamesOf } from '../src/dhcp/lease-names.ts';

/** Unpacked by the set-up, as it gets into the image. */
const dhcpcd = fileURLToPath(new URL('../../../../.cache/dhcpcd/dhcpcd', import.meta.url));

/** Both ends of a cable, and nothing of the machine: its network, /run and /var are this script's own. */
const script = `
set -e
dhcpcd=$1
shift
mount -t tmpfs none /run && mount -t tmpfs none /var && mkdir -p /var/lib/dhcpcd /run/netns
ip netns add server
ip link add v0 type veth peer name v1 netns server
ip netns exec server ip addr add 10.77.0.1/24 dev v1
ip netns exec server ip link set v1 up
ip netns exec server ip addr add fd77::1/64 dev v1 nodad
ip link set v0 up
ip netns exec server dnsmasq -k --conf-file=/dev/null --port=0 --interface=v1 --no-resolv --pid-file= \\
  --enable-ra --dhcp-range=fd77::10,fd77::1f,64,1h --dhcp-leasefile=/run/leases --dhcp-range=10.77.0.10,10.77.0.20,1h --dhcp-option=6,10.77.0.53,10.77.0.54 \\
  --dhcp-option=15,example.test --dhcp-option=option:ntp-server,10.77.0.123 --dhcp-option=option:domain-search,a.example.test,b.example.test >&2 &
server=$!
"$@" >&2 &
client=$!
trap 'kill $server $client; wait' EXIT
for _ in $(seq 300); do
  text=$("$dhcpcd" --config /dev/null -4 --dumplease v0 2>/dev/null || true)
  case "$text" in *reason=BOUND*) break ;; esac
  sleep 0.1
done
for _ in $(seq 300); do
  ip -6 addr show dev v0 scope global | grep -q fd77:: && break
  sleep 0.1
done
ip -o addr show dev v0 scope global | awk '{ print $4 }' | sort > /run/addresses
ip route | grep default > /run/routes
ip -6 route | grep default >> /run/routes
grep CapEff "/proc/$client/status" > /run/rights
rm -r /var/lib/dhcpcd # as when another filesystem is mounted above it
"$dhcpcd" --config /dev/null -4 --dumplease v0
echo ---
cat /run/addresses /run/routes /run/rights
`;

testWith(
  root,
  program('dnsmasq'),
  program('unshare'),
)(
  'dhcpcd with no more rights than it needs gets addresses and routes, and says what the network has told of names, also when its files are hidden',
  async (t) => {
    const unshared = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
    const run = ['sh', '-c', script, 'sh', dhcpcd, ...dhcpcdArgv('v0', dhcpcd)];
    const { code, stdout, stderr } = await command(['unshare', ...unshared, ...run]);
    t.is(code, 0, stderr);
    const [lease = '', made = ''] = stdout.split('---\n');
    t.deepEqual(leaseNamesOf(lease), {
      layer: 'operator',
      nameservers: [{ address: '10.77.0.53' }, { address: '10.77.0.54' }],
      searchDomains: ['a.example.test', 'b.example.test'],
      timeServers: ['10.77.0.123'],
    });
    t.regex(made, /^10\.77\.0\.\d+\/24\nfd77::1[0-9a-f]\/128\n/u);
    t.regex(made, /^default via 10\.77\.0\.1 /mu);
    t.regex(made, /^default via fe80::/mu);
    // CAP_NET_BIND_SERVICE, CAP_NET_ADMIN, CAP_NET_RAW: capabilities(7)
    t.regex(made, /^CapEff:\t0000000000003400$/mu);
  },
);
