import {
  booleanOption,
  destroyingOption,
  destroys,
  formatOption,
  listOption,
  repeatable,
  type Terminal,
} from '@nodecore/cli';
import { type Command, Option } from 'commander';

import { addConfigFlags, globalFlagsOf } from '../flags.ts';
import type { CreateDevFlags } from './create-dev.ts';
import type { CreateFlags } from './create-vm.ts';
import type { DestroyFlags } from './destroy.ts';
import type { LogFlags } from './logs.ts';
import type { PlaceFlags } from './place.ts';
import type { PowerFlags } from './power.ts';

/** `osctl cluster` makes machines on this computer; it calls nodes only where it creates. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description('Local clusters: machines on this computer, in a network of their own. Needs root.')
    .helpCommand(false);
  const create = command.command('create').description('Makes a cluster.').helpCommand(false);
  addVm(create, terminal);
  addDev(create, terminal);
  addShow(command, terminal);
  addList(command, terminal);
  addPower(command, terminal);
  addLogs(command, terminal);
  addDestroy(command, terminal);
}

function addPlaceFlags(command: Command): void {
  command
    .option('--name <name>', 'name of the cluster', 'os-default')
    .option('--state <directory>', 'where clusters are kept (default: ~/.os/clusters)');
  addConfigFlags(command);
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
        '<driver>:<size>[:serial=<serial>]; all but the first go to workers only (default: virtio:10GiB,virtio:6GiB)',
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
    .addOption(booleanOption('--with-uefi', 'start with UEFI', true).hideHelp());
  vm.addOption(formatOption());
  addPlaceFlags(vm);
  vm.action(async (flags: CreateFlags) => {
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
    .option('--cidr <network>', 'their network', '10.5.0.0/24')
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
    .addOption(listOption('--extra-disks-drivers <drivers>', 'of the first, the second, … (default: ide)'))
    .addOption(listOption('--extra-disks-serials <serials>', 'of the first, the second, …'))
    .addOption(booleanOption('--extra-disks-on-controlplanes', 'every machine has them', false))
    .option('--vmlinuz-path <file>', 'kernel', '_out/vmlinuz-${ARCH}')
    .option('--initrd-path <file>', 'first filesystem', '_out/initramfs-${ARCH}.xz')
    .option('--disk-image-path <file>', 'a raw image of the first disk, and no kernel')
    .option('--extra-boot-kernel-args <arguments>', 'more of the kernel’s; -<name> takes one away')
    .option('--numa-nodes <number>', 'nodes that processors and memory are divided into', '0')
    .addOption(booleanOption('--with-iommu', 'an IOMMU', false))
    .addOption(booleanOption('--bad-rtc', 'a clock that begins in 2011', false))
    .addOption(booleanOption('--with-tpm2', 'a TPM 2.0', false))
    .addOption(booleanOption('--with-uefi', 'start with UEFI', true))
    .option('--os-version <version>', 'of what is started', 'v1.14.0-alpha.0')
    .addOption(repeatable('--config-patch <patch>', 'of all machines; @<file> reads it'))
    .addOption(repeatable('--config-patch-control-plane <patch>', 'of the control plane'))
    .addOption(repeatable('--config-patch-worker <patch>', 'of the others'))
    .option('--wait-timeout <minutes>', 'how long nodes may take, in minutes', '20');
  dev.addOption(formatOption());
  addPlaceFlags(dev);
  dev.action(async (flags: CreateDevFlags) => {
    const { createDev } = await import('./create-dev.ts');
    await createDev({ ...globalFlagsOf(dev), ...flags }, terminal);
  });
}

function addShow(cluster: Command, terminal: Terminal): void {
  const show = cluster
    .command('show')
    .description('Prints what a cluster is made of.')
    .addOption(formatOption());
  addPlaceFlags(show);
  show.action(async (flags: PlaceFlags & { readonly output: string }) => {
    const { printCluster } = await import('./show.ts');
    await printCluster(flags, terminal);
  });
}

function addList(cluster: Command, terminal: Terminal): void {
  const list = cluster
    .command('list')
    .description('Prints the clusters that there are.')
    .addOption(formatOption());
  list.option('--state <directory>', 'where clusters are kept (default: ~/.os/clusters)');
  list.action(async (flags: { readonly state?: string; readonly output: string }) => {
    const { printClusters } = await import('./show.ts');
    await printClusters(flags, terminal);
  });
}

function addPower(cluster: Command, terminal: Terminal): void {
  const start = cluster
    .command('start')
    .description('Switches a stopped cluster on: the same addresses and disks.');
  start.addOption(nodesOption()).action(async (flags: PowerFlags) => {
    const { start: run } = await import('./power.ts');
    await run(flags, terminal);
  });
  const stop = cluster
    .command('stop')
    .description('Switches a cluster off; what its machines hold stays.')
    .addOption(nodesOption())
    .option('--grace-period <seconds>', 'how long a machine may take before it is killed', '60');
  stop.action(async (flags: PowerFlags & { readonly gracePeriod: string }) => {
    const { stop: run } = await import('./power.ts');
    await run(flags, terminal);
  });
  const reboot = destroys(cluster.command('reboot')).description(
    'Switches machines off and on again without asking them, as a reset button does.',
  );
  reboot.addOption(nodesOption()).action(async (flags: PowerFlags) => {
    const { reboot: run } = await import('./power.ts');
    await run(flags, terminal);
  });
  for (const command of [start, stop, reboot]) addPlaceFlags(command.addOption(formatOption()));
}

function nodesOption(): Option {
  return listOption('-n, --node <names>', 'these machines, by name or address (default: all)');
}

function addLogs(cluster: Command, terminal: Terminal): void {
  const logs = cluster
    .command('logs [machine]')
    .description('Prints the consoles of the machines, or of one.')
    .option('-f, --follow', 'go on with what comes')
    .addOption(formatOption());
  addPlaceFlags(logs);
  logs.action(async (machine: string | undefined, flags: LogFlags) => {
    const { printLogs } = await import('./logs.ts');
    await printLogs(machine, flags, terminal);
  });
}

function addDestroy(cluster: Command, terminal: Terminal): void {
  const destroy = destroys(cluster.command('destroy'))
    .description('Takes a cluster away, with its machines, disks, network and contexts, however far it came.')
    .addOption(destroyingOption('-f, --force', 'take its directory away also when something else stays'))
    .option('--save-cluster-logs-archive-path <file>', 'a tar.gz that gets all its logs before they go')
    .addOption(formatOption());
  addPlaceFlags(destroy);
  destroy.action(async (flags: DestroyFlags) => {
    const { destroy: run } = await import('./destroy.ts');
    await run(flags, terminal);
  });
}
