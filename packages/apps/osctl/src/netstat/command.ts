import { formatOption, type Terminal, UsageError } from '@nodecore/cli';
import type { Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, addMaintenanceFlags, globalFlagsOf } from '../flags.ts';
import type { NetstatFlags } from './netstat.ts';

/** `osctl netstat` needs os:reader. */
export function configure(command: Command, terminal: Terminal): void {
  command
    .description(
      'Lists sockets of nodes: those with a peer, of TCP and UDP, unless flags say others. Needs os:reader.',
    )
    .argument('[pod]', 'only those of this pod: namespace/pod')
    .option('-a, --all', 'with a peer and without one')
    .option('-l, --listening', 'those without a peer')
    .option('-t, --tcp', 'TCP')
    .option('-u, --udp', 'UDP')
    .option('-U, --udplite', 'UDPLite')
    .option('-w, --raw', 'raw sockets')
    .option('-4, --ipv4', 'IPv4')
    .option('-6, --ipv6', 'IPv6')
    .option('-x, --extend', 'who made them, and their inodes')
    .option('-p, --programs', 'which processes have them open')
    .option('-o, --timers', 'their timers: seconds left, what was sent again, probes without an answer')
    .option('-k, --pods', 'of pods, too')
    .option('-v, --verbose', 'all columns')
    .addOption(formatOption([], '--output <format>'))
    .addHelpText(
      'after',
      `
-o is --timers here. Of a socket of TCP that listens the queues are the connections that wait, and how many may.
A node without a container runtime refuses --pods and a pod.

Examples:
  osctl netstat
  osctl netstat -tlp
  osctl netstat -a -u -6 --output json`,
    );
  addMaintenanceFlags(command);
  callsMethods(command, 'SocketService/Netstat');
  addGlobalFlags(command);
  command.action(
    async (pod: string | undefined, flags: Omit<NetstatFlags, keyof ReturnType<typeof globalFlagsOf>>) => {
      if (pod !== undefined && flags.pods === true)
        throw new UsageError('--pods is for all pods, and one is named: use one of them');
      if (pod !== undefined && !/^[^/\s]+\/[^/\s]+$/u.test(pod))
        throw new UsageError(`${JSON.stringify(pod)} is no pod: namespace/pod`);
      const { netstat } = await import('./netstat.ts');
      await netstat({ ...globalFlagsOf(command), ...flags, ...(pod !== undefined && { pod }) }, terminal);
    },
  );
}
