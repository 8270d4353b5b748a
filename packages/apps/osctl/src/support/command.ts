import { jsonOption, type Terminal } from '@nodecore/cli';
import { type Command, InvalidArgumentError, Option } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf } from '../flags.ts';
import type { SupportFlags } from './support.ts';

type Flags = Omit<SupportFlags, keyof ReturnType<typeof globalFlagsOf>>;

/** `osctl support` needs os:reader, with `-i` no certificate; the configuration is in it with os:admin only. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Saves what is needed to find out what is wrong with nodes: an archive for each, without secrets. Needs os:reader.',
    )
    .option(
      '-O, --output <path>',
      'the archive of one node, or a directory for those of several (default: support-<node>.zip here)',
    )
    .addOption(
      new Option('-w, --num-workers <count>', 'how many things each node is asked for at the same time')
        .argParser(parseWorkers)
        .default(4),
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
In it are: version, health, resources, services and logs, the log of the kernel, events, mounts, memory, processes, sockets, cgroups, pressure, the kvstore,
and, with os:admin, the configuration without its secrets. manifest.json lists all, with their SHA-256. What could not be had is
listed at the end. A file that exists is never replaced.

Examples:
  osctl support
  osctl support -n 10.0.0.5 -O node-5.zip
  osctl support -n 10.0.0.5,10.0.0.6 -O /tmp
  osctl support -i -n 10.0.0.5`,
    );
  addMaintenanceFlags(command);
  callsMethods(
    command,
    'MachineService/Version',
    'MachineService/Access',
    'MachineService/Mounts',
    'InspectService/Health',
    'InspectService/ControllerRuntimeDependencies',
    'ResourceService/List',
    'SupervisorService/ServiceList',
    'SupervisorService/Logs',
    'KernelLogService/Dmesg',
    'EventService/Events',
    'CgroupService/Read',
    'CgroupService/Pressure',
    'CaptureService/Interfaces',
    'CaptureService/Files',
    'SupervisorService/LogsContainers',
    'StatService/Memory',
    'StatService/CpuInfo',
    'StatService/LoadAvg',
    'StatService/DiskStats',
    'StatService/NetworkDeviceStats',
    'ProcessService/Processes',
    'SocketService/Netstat',
    'KvstoreService/Status',
    'KvstoreService/Members',
    'KvstoreService/Alarms',
  );
  addGlobalFlags(command);
  command.action(async (flags: Flags) => {
    const { saveSupport } = await import('./support.ts');
    await saveSupport({ ...globalFlagsOf(command), ...flags }, terminal);
  });
}

function parseWorkers(text: string): number {
  const count = Number(text);
  if (/^\d+$/u.test(text) && count >= 1 && count <= 64) return count;
  throw new InvalidArgumentError('A number from 1 to 64.');
}
