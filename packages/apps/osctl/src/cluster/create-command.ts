import {
  booleanOption,
  formatOption,
  listOption,
  parseDuration,
  repeatable,
  type Terminal,
} from '@nodecore/cli';
import { type Command, Option } from 'commander';

import { globalFlagsOf } from '../flags.ts';
import type { CreateContainerFlags } from './create-container.ts';
import type { CreateDevFlags } from './create-dev.ts';
import type { CreateFlags } from './create-vm.ts';
import { isElsewhere } from './elsewhere.ts';
import { addPlaceFlags } from './place-flags.ts';

/** `osctl cluster create` and what is below it. */
export function addCreate(cluster: Command, terminal: Terminal): void {
  const create = cluster.command('create').description('Makes a cluster.').helpCommand(false);
  addVm(create, terminal);
  addDev(create, terminal);
  addContainer(create, terminal);
}

function addVm(create: Command, terminal: Terminal): void {
  const vm = create
    .command('vm')
    .description(
      'Makes virtual machines, starts them from an image of the factory, configures them and begins their kvstore.',
    )
    .option('--controlplanes <number>', 'machines of the control plane', '1')
    .option('--workers <number>', 'other machines', '1')
    .option('--cidr <network>', 'their network', '10.5.0.0/24')
    .option('--cpus-controlplanes <share>', 'processors of each', '2.0')
    .option('--cpus-workers <share>', 'processors of each', '2.0')
    .option('--memory-controlplanes <size>', 'memory of each', '2.0GiB')
    .option('--memory-workers <size>', 'memory of each', '2.0GiB')
    .addOption(
      listOption(
        '--disks <disks>',
        '<driver>:<size>[:serial=<serial>], virtiofs:<size>:tag=<tag>; all but the first go to workers only (default: virtio:10GiB,virtio:6GiB)',
      ),
    )
    .addOption(
      listOption(
        '--presets <presets>',
        'one of iso, iso-secureboot, pxe, disk-image; and maintenance, secureboot (default: iso)',
      ),
    )
    .option('--schematic-id <id>', 'of the image (default: the empty schematic)')
    .option('--os-version <version>', 'of the image', 'v1.14.0-alpha.0')
    .option('--image-factory-url <url>', 'where images come from', 'http://127.0.0.1:8081')
    .option('--image-factory-auth <user:password>', 'of the factory; @<file> reads it')
    .addOption(repeatable('--config-patch <patch>', 'of all machines; @<file> reads it'))
    .addOption(repeatable('--config-patch-controlplanes <patch>', 'of the control plane'))
    .addOption(repeatable('--config-patch-workers <patch>', 'of the others'))
    .option('--osconfig-destination <file>', 'client config that gets the context (default: as --osconfig)')
    .option(
      '--fleet-api-endpoint <url>',
      'fleet manager that the machines dial, with ?jointoken=; @<file> reads it',
    )
    .option('--wait-timeout <minutes>', 'how long nodes may take, in minutes', '20')
    .addOption(new Option('--disk-image-path <file>', 'a raw image in place of the factory’s').hideHelp())
    .addOption(booleanOption('--with-uefi [boolean]', 'start with UEFI', true).hideHelp());
  vm.addOption(formatOption());
  addPlaceFlags(vm);
  vm.action(async (flags: CreateFlags) => {
    if (await isElsewhere(vm, terminal)) return;
    const { createVm } = await import('./create-vm.ts');
    await createVm({ ...globalFlagsOf(vm), ...flags }, terminal);
  });
}

function addDev(create: Command, terminal: Terminal): void {
  const dev = create
    .command('dev')
    .description(
      'Makes virtual machines for developers: from a kernel or a disk image of this computer, with odd hardware.',
    )
    .option('--controlplanes <number>', 'machines of the control plane', '1')
    .option('--workers <number>', 'other machines', '1')
    .addOption(
      listOption('--cidr <networks>', 'their network, and one of IPv6 with 64 bits (default: 10.5.0.0/24)'),
    )
    .addOption(booleanOption('--ipv4 [boolean]', 'they have addresses of IPv4', true))
    .addOption(
      booleanOption('--ipv6 [boolean]', 'they have addresses of IPv6 (default: of fd6f:7300::/32)', false),
    )
    .option('--mtu <bytes>', 'of their network', '1500')
    .option('--cpus <share>', 'processors of each of the control plane', '2.0')
    .option('--cpus-workers <share>', 'processors of each other', '2.0')
    .option('--memory <size>', 'memory of each of the control plane', '2.0GiB')
    .option('--memory-workers <size>', 'memory of each other', '2.0GiB')
    .option('--disk <MiB>', 'size of each primary disk', '6144')
    .option('--primary-disks <number>', 'equal disks of every machine, the system disk first', '1')
    .option('--disk-driver <driver>', 'what they are attached by', 'virtio')
    .option('--disk-block-size <bytes>', 'of a sector: 512 or 4096', '512')
    .option('--extra-disks <number>', 'more disks of each worker', '0')
    .option('--extra-disks-size <MiB>', 'size of each', '5120')
    .addOption(
      listOption(
        '--extra-disks-drivers <drivers>',
        'of the first, the second, …; virtiofs: a directory of this computer (default: ide)',
      ),
    )
    .addOption(listOption('--extra-disks-serials <serials>', 'of the first, the second, …'))
    .addOption(
      listOption('--extra-disks-tags <tags>', 'of those by virtiofs (default: disk and their number)'),
    )
    .addOption(booleanOption('--extra-disks-on-controlplanes [boolean]', 'every machine has them', false))
    .option('--vmlinuz-path <file>', 'kernel', '_out/vmlinuz-${ARCH}')
    .option('--initrd-path <file>', 'first filesystem', '_out/initramfs-${ARCH}.xz')
    .option('--disk-image-path <file>', 'a raw image of the first disk, and no kernel')
    .option('--iso-path <file>', 'a CD, by its path or URL, where nothing on the first disk can be started')
    .option('--usb-path <file>', 'a USB stick in place of it')
    .option('--uki-path <file>', 'a unified kernel image, at every start')
    .option('--ipxe-boot-script <url>', 'iPXE’s script, in place of all of them')
    .option(
      '--install-image <reference>',
      'what is installed on a blank disk (default: that of what has booted)',
    )
    .addOption(
      booleanOption(
        '--skip-unattended-install-config [boolean]',
        'no node is asked to install itself',
        false,
      ),
    )
    .option('--extra-boot-kernel-args <arguments>', 'more of the kernel’s; -<name> takes one away')
    .option('--arch <arch>', 'of the machines', 'amd64')
    .addOption(
      booleanOption(
        '--airgapped [boolean]',
        'their network leads to nothing but what the gateway serves',
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
    .addOption(booleanOption('--skip-kvstore-orch [boolean]', 'no kvstore and no orchestrator', false))
    .addOption(booleanOption('--skip-injecting-config [boolean]', 'nodes stay in maintenance', false))
    .addOption(
      booleanOption('--with-apply-config [boolean]', 'but for the API, which gives it to them', false),
    )
    .option(
      '--fleet-api-endpoint <url>',
      'fleet manager that the machines dial, with ?jointoken=; @<file> reads it',
    )
    .addOption(booleanOption('--wait [boolean]', 'until all of the control plane are in the kvstore', true))
    .addOption(booleanOption('--use-vip [boolean]', 'control planes share host 50 of the network', false))
    .addOption(booleanOption('--init-node-as-endpoint [boolean]', 'the endpoint is the first machine', false))
    .addOption(
      booleanOption('--with-init-node [boolean]', 'the first machine begins the kvstore by itself', false),
    )
    .option('--with-firewall <action>', 'accept or block: what becomes of packets that no rule lets in')
    .option('--wireguard-cidr <network>', 'of encrypted links from every machine to every other')
    .addOption(listOption('--registry-mirror <mirrors>', '<registry host>=<mirror URL>'))
    .addOption(
      listOption('--registry-insecure-skip-verify <hosts>', 'registries whose certificates nobody looks at'),
    )
    .addOption(booleanOption('--with-debug [boolean]', 'nodes say more', false))
    .option('--image-cache-path <directory>', 'an image cache that the gateway serves')
    .option('--image-cache-port <port>', 'where', '5000')
    .option('--image-cache-tls-cert-file <file>', 'with this certificate')
    .option('--image-cache-tls-key-file <file>', 'and this key')
    .addOption(
      booleanOption('--disk-preallocate [boolean]', 'disks have all of their blocks from the start', true),
    )
    .addOption(
      listOption('--extra-uefi-search-paths <directories>', 'where UEFI’s files are, behind the usual place'),
    )
    .option('--numa-nodes <number>', 'nodes that processors and memory are divided into', '0')
    .addOption(booleanOption('--with-redfish [boolean]', 'their power is switched by Redfish, too', false))
    .addOption(
      booleanOption(
        '--with-ipmi [boolean]',
        'a management controller each: their power is switched by IPMI, too',
        false,
      ),
    )
    .addOption(booleanOption('--with-iommu [boolean]', 'an IOMMU', false))
    .addOption(booleanOption('--bad-rtc [boolean]', 'a clock that begins in 2011', false))
    .addOption(booleanOption('--with-tpm1_2 [boolean]', 'a TPM 1.2', false))
    .addOption(booleanOption('--with-tpm2 [boolean]', 'a TPM 2.0', false))
    .addOption(
      repeatable(
        '--user-volumes <volumes>',
        'a disk of every machine with them: <name>:<size>[:<name>:<size>]…',
      ),
    )
    .addOption(booleanOption('--encrypt-state [boolean]', 'the volume STATE', false))
    .addOption(booleanOption('--encrypt-ephemeral [boolean]', 'the volume EPHEMERAL', false))
    .addOption(booleanOption('--encrypt-user-volumes [boolean]', 'those of --user-volumes', false))
    .addOption(
      listOption(
        '--disk-encryption-key-types <types>',
        'uuid, tpm: what opens them, a slot each (default: uuid)',
      ),
    )
    .addOption(booleanOption('--with-uuid-hostnames [boolean]', 'machines are named machine-<UUID>', false))
    .addOption(booleanOption('--with-uefi [boolean]', 'start with UEFI', true))
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
    .option('--os-version <version>', 'of what is started', 'v1.14.0-alpha.0')
    .addOption(repeatable('--config-patch <patch>', 'of all machines; @<file> reads it'))
    .addOption(repeatable('--config-patch-control-plane <patch>', 'of the control plane'))
    .addOption(repeatable('--config-patch-worker <patch>', 'of the others'))
    .addOption(
      booleanOption(
        '--with-json-logs [boolean]',
        'nodes send what they say; osctl cluster logs --services prints it',
        false,
      ),
    )
    .option(
      '--config-injection-method <method>',
      'http, metal-iso or cidata: machines find their configuration when they start (default: it is given to them over their API)',
      '',
    )
    .option('--wait-timeout <minutes>', 'how long nodes may take, in minutes', '20');
  dev.addOption(formatOption());
  addPlaceFlags(dev);
  dev.action(async (flags: CreateDevFlags) => {
    if (await isElsewhere(dev, terminal)) return;
    const { createDev } = await import('./create-dev.ts');
    await createDev({ ...globalFlagsOf(dev), ...flags }, terminal);
  });
}

function addContainer(create: Command, terminal: Terminal): void {
  const container = create
    .command('container')
    .description(
      'Makes nodes in containers, which share this computer’s kernel: no disks, and up in seconds. Needs runc or crun.',
    )
    .option('--controlplanes <number>', 'nodes of the control plane', '1')
    .option('--workers <number>', 'other nodes', '1')
    .option('--subnet <network>', 'their network', '10.5.0.0/24')
    .option('--cpus-controlplanes <share>', 'processors of each, also parts of one', '2.0')
    .option('--cpus-workers <share>', 'processors of each, also parts of one', '2.0')
    .option('--memory-controlplanes <size>', 'limit of the memory of each', '2.0GiB')
    .option('--memory-workers <size>', 'limit of the memory of each', '2.0GiB')
    .addOption(
      listOption(
        '-p, --exposed-ports <ports>',
        'of the first control plane on this computer: [<ip>:]<host port>:<port>/tcp or udp',
      ),
    )
    .option('--host-ip <address>', 'where those listen that name no address', '0.0.0.0')
    .option(
      '--image <image>',
      'root of the nodes: a squashfs, or a first filesystem with one, by path or URL; docker://<image> of a registry (default: of the factory at 127.0.0.1:8081)',
    )
    .option('--os-version <version>', 'of the factory’s image', 'v1.14.0-alpha.0')
    .addOption(
      new Option('--runtime <name>', 'what runs them (default: what fits this computer)').choices([
        'runc',
        'crun',
      ]),
    )
    .addOption(
      repeatable(
        '--mount <mount>',
        'in every node: type=bind|volume|tmpfs,source=<path or name>,target=<path>[,readonly]',
      ),
    )
    .addOption(repeatable('--config-patch <patch>', 'of all nodes; @<file> reads it'))
    .addOption(repeatable('--config-patch-controlplanes <patch>', 'of the control plane'))
    .addOption(repeatable('--config-patch-workers <patch>', 'of the others'))
    .option('--osconfig-destination <file>', 'client config that gets the context (default: as --osconfig)')
    .option('--wait-timeout <minutes>', 'how long nodes may take, in minutes', '20')
    .addOption(new Option('--mtu <bytes>', 'of their network').default('1500').hideHelp());
  container.addOption(formatOption());
  addPlaceFlags(container);
  container.action(async (flags: CreateContainerFlags) => {
    if (await isElsewhere(container, terminal)) return;
    const { createContainer } = await import('./create-container.ts');
    await createContainer({ ...globalFlagsOf(container), ...flags }, terminal);
  });
}
