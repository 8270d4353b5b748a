import { type NetstatRequestInit, type Socket, SocketFilter } from '@nodecore/api/socket';
import { printFound, readFormat, Table, type Terminal } from '@nodecore/cli';

import type { GlobalFlags, MaintenanceFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets } from '../nodes/target.ts';
import { type Column, columnsOf, shownSocket } from './columns.ts';

export type NetstatFlags = GlobalFlags &
  MaintenanceFlags &
  Partial<Record<NetstatSwitch, true>> & { readonly pod?: string; readonly output: string };

type NetstatSwitch =
  | 'all'
  | 'listening'
  | 'tcp'
  | 'udp'
  | 'udplite'
  | 'raw'
  | 'ipv4'
  | 'ipv6'
  | 'extend'
  | 'programs'
  | 'timers'
  | 'pods'
  | 'verbose';

/** Prints sockets of nodes. */
export async function netstat(flags: NetstatFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  const request = requestOf(flags);
  const columns = columnsOf(flags);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, async ({ client, node }) => {
    const found: Socket[] = [];
    for await (const { sockets } of client.activity.sockets(request, { node, signal: terminal.signal }))
      found.push(...sockets);
    return found;
  });
  const all = results.flatMap(({ target, result }) =>
    result.map((socket) => ({ node: target.name, socket })),
  );
  await printFound(
    terminal,
    format,
    all.map(({ node, socket }) => ({ node, ...shownSocket(socket, request) })),
    { single: false, text: () => (results.length === 0 ? '' : tableOf(all, columns)) },
  );
  throwFailures();
}

function tableOf(
  all: readonly { readonly node: string; readonly socket: Socket }[],
  columns: readonly Column[],
): string {
  const headers = ['node', ...columns.map(({ header }) => header)];
  return new Table(headers).format(
    all.map(({ node, socket }) => [node, ...columns.map(({ cell }) => cell(socket))]),
  );
}

function requestOf(flags: NetstatFlags): NetstatRequestInit {
  const { all, listening, programs, verbose, pods, pod } = flags;
  const filter =
    all === true ? SocketFilter.ALL : listening === true ? SocketFilter.LISTENING : SocketFilter.CONNECTED;
  return {
    filter,
    protocols: protocolsOf(flags),
    processes: programs === true || verbose === true,
    pods: pods === true,
    pod: pod ?? '',
  };
}

function protocolsOf(flags: NetstatFlags): string[] {
  const named = (['tcp', 'udp', 'udplite', 'raw'] as const).filter((each) => flags[each] === true);
  const transports = named.length === 0 ? ['tcp', 'udp'] : named;
  const isBoth = flags.ipv4 === flags.ipv6;
  return transports.flatMap((each) => [
    ...(isBoth || flags.ipv4 === true ? [each] : []),
    ...(isBoth || flags.ipv6 === true ? [`${each}6`] : []),
  ]);
}
