import {
  destroyingOption,
  destroys,
  formatOption,
  parseDuration,
  refuseIgnored,
  type Terminal,
  UsageError,
} from '@nodecore/cli';
import { type Command, Option } from 'commander';

import type { ChaosFlags } from './chaos.ts';
import { addCreate } from './create-command.ts';
import type { DestroyFlags } from './destroy.ts';
import type { DiskFlags } from './disk.ts';
import type { LogFlags } from './logs.ts';
import { addRemoteFlags, isElsewhere, type RemoteFlags } from './elsewhere.ts';
import { addPlaceFlags, nodesOption } from './place-flags.ts';
import type { PlaceFlags } from './place.ts';
import type { PowerFlags } from './power.ts';
import type { ShowFlags } from './show.ts';
import type { SyncFlags } from './sync.ts';

/** `osctl cluster` makes machines on this computer; it calls nodes only where it creates. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Local clusters: machines on this computer, in a network of their own. Containers need root.',
    )
    .helpCommand(false);
  addCreate(command, terminal);
  addShow(command, terminal);
  addList(command, terminal);
  addPower(command, terminal);
  addChaos(command, terminal);
  addDisk(command, terminal);
  addSync(command, terminal);
  addLogs(command, terminal);
  addDestroy(command, terminal);
  addDoors(command, terminal);
}

function addShow(cluster: Command, terminal: Terminal): void {
  const show = cluster
    .command('show')
    .description('Prints what a cluster is made of, and what happens to its frames.')
    .option('-w, --watch', 'go on, each time that something changes')
    .addOption(formatOption());
  addPlaceFlags(show);
  addProvisioner(show, terminal);
  show.action(async (flags: ShowFlags) => {
    if (await isElsewhere(show, terminal)) return;
    const { printCluster, watchCluster } = await import('./show.ts');
    await (flags.watch === true ? watchCluster : printCluster)(flags, terminal);
  });
}

/** A flag of earlier versions: what made a cluster is in its state. */
function addProvisioner(command: Command, { error }: Terminal): void {
  command.addOption(
    new Option('--provisioner <name>', 'of earlier versions').default('container').hideHelp(),
  );
  command.hook('preAction', () => {
    if (command.getOptionValueSource('provisioner') === 'cli')
      error.write('--provisioner is ignored: the cluster itself says what made it; leave it out\n');
  });
}

function addList(cluster: Command, terminal: Terminal): void {
  const list = cluster
    .command('list')
    .description('Prints the clusters that there are.')
    .addOption(formatOption());
  list.option('--state <directory>', 'where clusters are kept (default: ~/.os/clusters)');
  addRemoteFlags(list);
  list.action(async (flags: { readonly state?: string; readonly output: string }) => {
    if (await isElsewhere(list, terminal)) return;
    const { printClusters } = await import('./show.ts');
    await printClusters(flags, terminal);
  });
}

function addPower(cluster: Command, terminal: Terminal): void {
  const start = cluster
    .command('start')
    .description('Switches a stopped cluster on: the same addresses and disks.');
  start.addOption(nodesOption()).action(async (flags: PowerFlags) => {
    if (await isElsewhere(start, terminal)) return;
    const { start: run } = await import('./power.ts');
    await run(flags, terminal);
  });
  const stop = cluster
    .command('stop')
    .description('Switches a cluster off; what its machines hold stays.')
    .addOption(nodesOption())
    .option('--grace-period <seconds>', 'how long a machine may take before it is killed', '60');
  stop.action(async (flags: PowerFlags & { readonly gracePeriod: string }) => {
    if (await isElsewhere(stop, terminal)) return;
    const { stop: run } = await import('./power.ts');
    await run(flags, terminal);
  });
  const reboot = destroys(cluster.command('reboot')).description(
    'Switches machines off and on again without asking them, as a reset button does.',
  );
  reboot.addOption(nodesOption()).action(async (flags: PowerFlags) => {
    if (await isElsewhere(reboot, terminal)) return;
    const { reboot: run } = await import('./power.ts');
    await run(flags, terminal);
  });
  const power = destroys(cluster.command('power <machine> <action>')).description(
    'Presses a button of one machine: on; off, at once unless there is a grace period; reset; pxe, a reset that starts from the network this once.',
  );
  power.option('--grace-period <seconds>', 'how long it may take to go off by itself (default: 0)');
  refuseIgnored(power, 'gracePeriod', 'it goes with off', () => power.args[1] === 'off');
  power.action(async (machine: string, action: string, flags: PlaceFlags & { readonly output: string }) => {
    if (await isElsewhere(power, terminal)) return;
    const { power: run, powerActions } = await import('./power.ts');
    const known = powerActions.find((each) => each === action);
    if (known === undefined) throw new UsageError(`${action} is none of ${powerActions.join(', ')}`);
    await run(machine, known, flags, terminal);
  });
  for (const command of [start, stop, reboot, power]) addPlaceFlags(command.addOption(formatOption()));
}

function addChaos(cluster: Command, terminal: Terminal): void {
  const chaos = cluster
    .command('chaos')
    .description(
      'Has frames of machines late, lost, changed, out of order or slow, while they run; flags that are not given leave the rest as it is.',
    )
    .addOption(nodesOption())
    .addOption(
      new Option('--direction <direction>', 'as the machine sees it')
        .choices(['to', 'from', 'both'])
        .default('both'),
    )
    .addOption(durationOption('--latency <duration>', 'each frame so much later'))
    .addOption(durationOption('--jitter <duration>', 'up to so much more or less than that'))
    .option('--packet-loss <share>', 'so many are lost, such as 0.01')
    .option('--packet-corrupt <share>', 'so many have a wrong bit')
    .option('--packet-reorder <share>', 'so many overtake those that are late')
    .option('--bandwidth <kbit/s>', 'no more goes through; 0: as much as comes')
    .option('--off', 'nothing happens any more')
    .addOption(formatOption());
  addPlaceFlags(chaos);
  chaos.action(async (flags: ChaosFlags) => {
    if (await isElsewhere(chaos, terminal)) return;
    const { changeChaos } = await import('./chaos.ts');
    await changeChaos(flags, terminal);
  });
}

function durationOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(parseDuration);
}

function addDisk(cluster: Command, terminal: Terminal): void {
  const disk = cluster
    .command('disk')
    .description('Disks of machines, which come, grow and go while they run.')
    .helpCommand(false);
  const list = disk.command('list [machine]').description('Prints the disks of the machines, or of one.');
  list.action(async (machine: string | undefined, flags: DiskFlags) => {
    if (await isElsewhere(list, terminal)) return;
    const { listDisks } = await import('./disk.ts');
    await listDisks(machine, flags, terminal);
  });
  const attach = disk
    .command('attach <machine> <disk>')
    .description(
      'Puts a disk into a machine: <driver>:<size>[:serial=<serial>]. A serial that was detached brings back what is on that disk.',
    );
  attach.action(async (machine: string, text: string, flags: DiskFlags) => {
    if (await isElsewhere(attach, terminal)) return;
    const { attach: run } = await import('./disk.ts');
    await run(machine, text, flags, terminal);
  });
  const detach = destroys(disk.command('detach <machine> <serial>')).description(
    'Takes a disk out of a machine, as who pulls it. Its file stays; one that the cluster was planned with comes again at the next start.',
  );
  detach.action(async (machine: string, serial: string, flags: DiskFlags) => {
    if (await isElsewhere(detach, terminal)) return;
    const { detach: run } = await import('./disk.ts');
    await run(machine, serial, flags, terminal);
  });
  const resize = disk
    .command('resize <machine> <serial> <size>')
    .description('Makes a disk of a machine larger; none is made smaller.');
  resize.action(async (machine: string, serial: string, size: string, flags: DiskFlags) => {
    if (await isElsewhere(resize, terminal)) return;
    const { resize: run } = await import('./disk.ts');
    await run(machine, serial, size, flags, terminal);
  });
  for (const command of [list, attach, detach, resize]) addPlaceFlags(command.addOption(formatOption()));
}

function addSync(cluster: Command, terminal: Terminal): void {
  const sync = cluster
    .command('sync')
    .description(
      'Gives a cluster that starts from a kernel another one: a file is copied, or sent to the other computer, when it differs. Machines start from it the next time.',
    )
    .option('--vmlinuz-path <file>', 'kernel', '_out/vmlinuz-${ARCH}')
    .option('--initrd-path <file>', 'first filesystem', '_out/initramfs-${ARCH}.xz')
    .addOption(formatOption());
  addPlaceFlags(sync);
  sync.action(async (flags: SyncFlags) => {
    if (await isElsewhere(sync, terminal)) return;
    const { sync: run } = await import('./sync.ts');
    await run(flags, terminal);
  });
}

function addLogs(cluster: Command, terminal: Terminal): void {
  const logs = cluster
    .command('logs [machine]')
    .description('Prints the consoles of the machines, or of one.')
    .option('-f, --follow', 'go on with what comes')
    .option('--services', 'what their kernels and services have sent: lines of JSON, with --with-json-logs')
    .addOption(formatOption());
  addPlaceFlags(logs);
  logs.action(async (machine: string | undefined, flags: LogFlags) => {
    if (await isElsewhere(logs, terminal)) return;
    const { printLogs } = await import('./logs.ts');
    await printLogs(machine, flags, terminal);
  });
}

function addDestroy(cluster: Command, terminal: Terminal): void {
  const destroy = destroys(cluster.command('destroy'))
    .description('Takes a cluster away, with its machines, disks, network and contexts, however far it came.')
    .addOption(destroyingOption('-f, --force', 'take its directory away also when something else stays'))
    .option(
      '--save-support-archive-path <file>',
      'a zip that gets what its nodes know, before they are stopped',
    )
    .option('--save-cluster-logs-archive-path <file>', 'a tar.gz that gets all its logs before they go')
    .addOption(formatOption());
  addPlaceFlags(destroy);
  addProvisioner(destroy, terminal);
  destroy.action(async (flags: DestroyFlags) => {
    if (await isElsewhere(destroy, terminal)) return;
    const { destroy: run } = await import('./destroy.ts');
    await run(flags, terminal);
  });
}

function addDoors(cluster: Command, terminal: Terminal): void {
  const doors = cluster
    .command('doors')
    .description(
      'Opens the APIs of the machines of a cluster of another computer on this one, at the addresses of its context, until it is interrupted.',
    )
    .option('--name <name>', 'name of the cluster', 'os-default');
  addRemoteFlags(doors);
  doors.action(async (flags: RemoteFlags & { readonly name: string }) => {
    const { openDoors } = await import('../remote/doors.ts');
    await openDoors(flags, terminal);
  });
}
