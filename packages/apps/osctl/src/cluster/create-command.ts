import { booleanOption, formatOption, listOption, repeatable, type Terminal } from '@nodecore/cli';
import { type Command, Option } from 'commander';

import { globalFlagsOf } from '../flags.ts';
import type { CreateContainerFlags } from './create-container.ts';
import { addDev } from './create-dev-command.ts';
import type { CreateFlags } from './create-vm.ts';
import { isElsewhere } from './elsewhere.ts';
import {
  acceleratorOption,
  addPlaceFlags,
  orchVersionOption,
  overcommitOption,
  waitTimeoutOf,
} from './place-flags.ts';

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
    .addOption(orchVersionOption())
    .option(
      '--image-factory-url <url>',
      'where images come from (default: the factory of the checkout, which is started)',
    )
    .option(
      '--image-factory-auth <user:password>',
      'of the factory, for this computer and the nodes; @<file> reads it',
    )
    .addOption(repeatable('--config-patch <patch>', 'of all machines; @<file> reads it'))
    .addOption(repeatable('--config-patch-controlplanes <patch>', 'of the control plane'))
    .addOption(repeatable('--config-patch-workers <patch>', 'of the others'))
    .option('--osconfig-destination <file>', 'client config that gets the context (default: as --osconfig)')
    .option(
      '--fleet-api-endpoint <url>',
      'they are a fleet’s: they get what they dial it by, with ?jointoken=, and nothing else; @<file> reads it',
    )
    .option(
      '--wait-timeout <duration>',
      'how long nodes may take; unless it is given, an hour where they are emulated',
      '20m0s',
    )
    .addOption(acceleratorOption())
    .addOption(overcommitOption())
    .addOption(new Option('--disk-image-path <file>', 'a raw image in place of the factory’s').hideHelp())
    .addOption(
      listOption(
        '--gateway-services <urls>',
        'of this computer’s loopback, for nodes at the gateway',
      ).hideHelp(),
    )
    .addOption(booleanOption('--with-uefi [boolean]', 'start with UEFI', true).hideHelp())
    .addOption(booleanOption('--encrypt-state [boolean]', 'as of create dev', false).hideHelp())
    .addOption(booleanOption('--encrypt-ephemeral [boolean]', 'as of create dev', false).hideHelp())
    .addOption(listOption('--disk-encryption-key-types <types>', 'as of create dev').hideHelp());
  vm.addOption(formatOption());
  addPlaceFlags(vm);
  vm.action(async (flags: CreateFlags) => {
    if (await isElsewhere(vm, terminal)) return;
    const { createVm } = await import('./create-vm.ts');
    await createVm({ ...globalFlagsOf(vm), ...flags, ...waitTimeoutOf(vm) }, terminal);
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
    .option('--subnet <network>', 'their network, also one of IPv6 with 64 bits', '10.5.0.0/24')
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
      'root of the nodes: a squashfs, or a first filesystem with one, by path or URL; docker://<image> of a registry (default: of the factory of the checkout, which is started)',
    )
    .option('--os-version <version>', 'of the factory’s image', 'v1.14.0-alpha.0')
    .addOption(orchVersionOption())
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
    .option(
      '--wait-timeout <duration>',
      'how long nodes may take; unless it is given, an hour where they are emulated',
      '20m0s',
    )
    .addOption(overcommitOption())
    .addOption(new Option('--mtu <bytes>', 'of their network').default('1500').hideHelp())
    .addOption(listOption('--registry-mirror <mirrors>', '<registry host>=<mirror URL>').hideHelp())
    .addOption(booleanOption('--disable-ipv6 [boolean]', 'they have no addresses of IPv6', false).hideHelp());
  container.addOption(formatOption());
  addPlaceFlags(container);
  container.action(async (flags: CreateContainerFlags) => {
    if (await isElsewhere(container, terminal)) return;
    const { createContainer } = await import('./create-container.ts');
    await createContainer({ ...globalFlagsOf(container), ...flags, ...waitTimeoutOf(container) }, terminal);
  });
}
