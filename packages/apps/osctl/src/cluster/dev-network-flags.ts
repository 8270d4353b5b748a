import { booleanOption, listOption, parseDuration } from '@nodecore/cli';
import { type Command, Option } from 'commander';

/** Flags of the network of machines for developers, and of what happens to its frames. */
export function addNetworkFlags(dev: Command): void {
  dev
    .addOption(
      listOption('--cidr <networks>', 'their network, and one of IPv6 with 64 bits (default: 10.5.0.0/24)'),
    )
    .addOption(booleanOption('--ipv4 [boolean]', 'they have addresses of IPv4', true))
    .addOption(
      booleanOption('--ipv6 [boolean]', 'they have addresses of IPv6 (default: of fd6f:7300::/32)', false),
    )
    .option('--mtu <bytes>', 'of their network', '1500')
    .addOption(
      booleanOption(
        '--airgapped [boolean]',
        'their network leads to nothing but what the gateway serves, and nothing to it but doors',
        false,
      ),
    )
    .addOption(
      listOption(
        '--nameservers <addresses>',
        'that DHCP names (default: the gateway, which knows the machines)',
      ),
    )
    .option('--control-plane-port <port>', 'of the orchestrator’s API', '6443')
    .option('--endpoint <host>', 'where clients reach the nodes’ API, in place of this computer’s addresses')
    .addOption(booleanOption('--use-vip [boolean]', 'control planes share host 50 of the network', false))
    .addOption(booleanOption('--init-node-as-endpoint [boolean]', 'the endpoint is the first machine', false))
    .option('--wireguard-cidr <network>', 'of encrypted links from every machine to every other')
    .addOption(
      booleanOption(
        '--with-network-chaos [boolean]',
        'the next six count; osctl cluster chaos changes them',
        false,
      ),
    )
    .addOption(
      new Option('--with-network-latency <duration>', 'each frame so much later').argParser(parseDuration),
    )
    .addOption(
      new Option('--with-network-jitter <duration>', 'up to so much more or less').argParser(parseDuration),
    )
    .option('--with-network-packet-loss <share>', 'so many frames are lost, such as 0.01')
    .option('--with-network-packet-corrupt <share>', 'so many have a wrong bit')
    .option('--with-network-packet-reorder <share>', 'so many overtake those that are late')
    .option('--with-network-bandwidth <kbit/s>', 'no more goes through')
    .addOption(
      booleanOption('--disable-dhcp-hostname [boolean]', 'DHCP tells no machine what it is called', false),
    )
    .addOption(
      listOption(
        '--no-masquerade-cidrs <networks>',
        'nothing goes there: what leaves has this computer’s address',
      ),
    )
    .addOption(
      listOption('--cni-bin-path <directories>', 'without effect: networks are made without plugins of CNI'),
    )
    .option('--cni-bundle-url <url>', 'without effect')
    .option('--cni-cache-dir <directory>', 'without effect')
    .option('--cni-conf-dir <directory>', 'without effect')
    .addOption(
      booleanOption('--with-bgp [boolean]', 'the gateway exchanges routes with the machines, by BGP', false),
    )
    .addOption(
      booleanOption(
        '--with-bgp-clos [boolean]',
        'machines have two cables to routers, and exchange routes with them, in place of one to their network',
        false,
      ),
    )
    .addOption(booleanOption('--with-lldp [boolean]', 'the gateway says who it is, by LLDP', false))
    .addOption(booleanOption('--with-nfs [boolean]', 'the gateway serves a directory, by NFS', false));
}
