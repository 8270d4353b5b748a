import { booleanOption, formatOption, listOption, repeatable, type Terminal } from '@nodecore/cli';
import { type Command, Option } from 'commander';

import { globalFlagsOf } from '../flags.ts';
import type { CreateDevFlags } from './create-dev.ts';
import { addNetworkFlags } from './dev-network-flags.ts';
import { isElsewhere } from './elsewhere.ts';
import {
  acceleratorOption,
  addPlaceFlags,
  orchVersionOption,
  overcommitOption,
  waitTimeoutOf,
} from './place-flags.ts';

/** `osctl cluster create dev`, which an earlier form of it had no word for. */
export function addDev(create: Command, terminal: Terminal): void {
  const dev = create
    .command('dev', { isDefault: true })
    .description(
      'Makes virtual machines for developers: from a kernel or a disk image of this computer, with odd hardware.',
    );
  addMachineFlags(dev);
  addDiskFlags(dev);
  addStartFlags(dev);
  addNetworkFlags(dev);
  addNodeFlags(dev);
  dev.addOption(formatOption());
  addPlaceFlags(dev);
  dev.action(async (flags: CreateDevFlags) => {
    if (create.args[0] !== 'dev')
      terminal.error.write('osctl cluster create: this is osctl cluster create dev by now\n');
    if (await isElsewhere(dev, terminal)) return;
    const { createDev } = await import('./create-dev.ts');
    await createDev({ ...globalFlagsOf(dev), ...flags, ...waitTimeoutOf(dev) }, terminal);
  });
}

/** How many machines, and what each is made of. */
function addMachineFlags(dev: Command): void {
  dev
    .option('--controlplanes <number>', 'machines of the control plane', '1')
    .option('--workers <number>', 'other machines', '1')
    .option('--cpus <share>', 'processors of each of the control plane', '2.0')
    .option('--cpus-workers <share>', 'processors of each other', '2.0')
    .option('--memory <size>', 'memory of each of the control plane', '2.0GiB')
    .option('--memory-workers <size>', 'memory of each other', '2.0GiB')
    .addOption(overcommitOption())
    .option('--arch <arch>', 'of the machines', 'amd64')
    .option('--numa-nodes <number>', 'nodes that processors and memory are divided into', '0')
    .addOption(booleanOption('--with-iommu [boolean]', 'an IOMMU', false))
    .addOption(booleanOption('--bad-rtc [boolean]', 'a clock that begins in 2011', false))
    .addOption(booleanOption('--with-tpm1_2 [boolean]', 'a TPM 1.2', false))
    .addOption(booleanOption('--with-tpm2 [boolean]', 'a TPM 2.0', false))
    .addOption(booleanOption('--with-uefi [boolean]', 'start with UEFI', true))
    .addOption(
      listOption('--extra-uefi-search-paths <directories>', 'where UEFI’s files are, behind the usual place'),
    )
    .addOption(booleanOption('--with-redfish [boolean]', 'their power is switched by Redfish, too', false))
    .addOption(
      booleanOption(
        '--with-ipmi [boolean]',
        'a management controller each: their power is switched by IPMI, too',
        false,
      ),
    )
    .addOption(booleanOption('--with-uuid-hostnames [boolean]', 'machines are named machine-<UUID>', false));
}

/** Their disks, and what is on them. */
function addDiskFlags(dev: Command): void {
  dev
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
    .addOption(
      booleanOption('--disk-preallocate [boolean]', 'disks have all of their blocks from the start', true),
    )
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
        'uuid, kms, tpm: what opens them, a slot each; kms is a key server at the gateway (default: uuid)',
      ),
    );
}

/** What they start from, and how they come to their configuration. */
function addStartFlags(dev: Command): void {
  dev
    .option('--vmlinuz-path <file>', 'kernel, by its path or URL', '_out/vmlinuz-${ARCH}')
    .option('--initrd-path <file>', 'first filesystem, as well', '_out/initramfs-${ARCH}.xz')
    .option('--disk-image-path <file>', 'an image of the first disk, raw or .zst, and no kernel')
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
    .option(
      '--extra-boot-kernel-args <arguments>',
      'more of the kernel’s; -<name> takes one of --vmlinuz-path away',
    )
    .option('--os-version <version>', 'of what is started', 'v1.14.0-alpha.0')
    .addOption(acceleratorOption())
    .addOption(booleanOption('--skip-injecting-config [boolean]', 'nodes stay in maintenance', false))
    .addOption(
      booleanOption('--with-apply-config [boolean]', 'but for the API, which gives it to them', false),
    )
    .option(
      '--config-injection-method <method>',
      'http, metal-iso or cidata: how machines find their configuration when they start (default: http; over their API where a machine can’t be told of that)',
      '',
    )
    .addOption(
      booleanOption(
        '--with-bootloader [boolean]',
        'what is installed on the first disk is started from then on, in place of --vmlinuz-path and --uki-path',
        true,
      ),
    )
    .addOption(
      booleanOption(
        '--skip-injecting-extra-cmdline [boolean]',
        'the firmware tells an image nothing of its configuration',
        false,
      ),
    );
}

/** What nodes are told besides. */
function addNodeFlags(dev: Command): void {
  dev
    .option('--with-firewall <action>', 'accept or block: what becomes of packets that no rule lets in')
    .addOption(listOption('--registry-mirror <mirrors>', '<registry host>=<mirror URL>'))
    .addOption(
      listOption('--registry-insecure-skip-verify <hosts>', 'registries whose certificates nobody looks at'),
    )
    .option('--image-cache-path <directory>', 'an image cache that the gateway serves')
    .option('--image-cache-port <port>', 'where', '5000')
    .option('--image-cache-tls-cert-file <file>', 'with this certificate')
    .option('--image-cache-tls-key-file <file>', 'and this key')
    .addOption(booleanOption('--with-debug [boolean]', 'nodes say more', false))
    .addOption(
      booleanOption(
        '--with-json-logs [boolean]',
        'nodes send what they say; osctl cluster logs --services prints it',
        false,
      ),
    )
    .option(
      '--fleet-api-endpoint <url>',
      'they are a fleet’s: they get what they dial it by, with ?jointoken=, and nothing else; @<file> reads it',
    )
    .addOption(
      booleanOption('--with-init-node [boolean]', 'the first machine begins the kvstore by itself', false),
    )
    .addOption(booleanOption('--skip-kvstore-orch [boolean]', 'no kvstore and no orchestrator', false))
    .addOption(repeatable('--config-patch <patch>', 'of all machines; @<file> reads it'))
    .addOption(repeatable('--config-patch-control-plane <patch>', 'of the control plane'))
    .addOption(repeatable('--config-patch-worker <patch>', 'of the others'))
    .addOption(booleanOption('--wait [boolean]', 'until all of the control plane are in the kvstore', true))
    .option(
      '--wait-timeout <duration>',
      'how long nodes may take; unless it is given, an hour where they are emulated',
      '20m0s',
    )
    .addOption(
      new Option(
        '--with-linkagent <kind>',
        'by which link they dial it: true, wireguard or tunnel are all the same',
      ),
    )
    .option('--discovery-endpoint <url>', 'where members of the cluster find each other')
    .addOption(booleanOption('--with-cluster-discovery [boolean]', 'use --discovery-endpoint', true))
    .addOption(booleanOption('--with-mesh [boolean]', 'encrypted links from each node to each other', false))
    .addOption(orchVersionOption())
    .option('--dns-domain <domain>', 'of the orchestrator’s services', 'cluster.local')
    .option('--lbproxy-port <port>', 'of its API on each node; 0: none', '7445')
    .option('--custom-cni-url <url>', 'objects that make its network of pods')
    .addOption(
      booleanOption(
        '--skip-orch-node-readiness-check [boolean]',
        'its nodes are not waited for, as they never are',
        false,
      ),
    )
    .addOption(
      booleanOption('--skip-orchconfig [boolean]', 'its client config is not fetched, as it never is', false),
    );
}
