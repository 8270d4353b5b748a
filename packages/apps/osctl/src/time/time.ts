import type { TimeResponse } from '@nodecore/api/time';
import { printFound, readFormat, Table, type Terminal } from '@nodecore/cli';

import type { GlobalFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets } from '../nodes/target.ts';

export type TimeFlags = GlobalFlags & { readonly check?: string; readonly output: string };

const headers = ['node', 'ntp-server', 'node-time', 'ntp-server-time', 'offset(s)'];

/** Prints the clocks of nodes beside that of a server. */
export async function showTime(flags: TimeFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, ({ client, node }) =>
    client.time({ server: flags.check ?? '' }, { node, signal: terminal.signal }),
  );
  const found = results.map(({ target, result }) => ({ node: target.name, ...shown(result), ...result }));
  const table = (): string =>
    new Table(headers).format(
      found.map(({ node, server, address, nodeTime, serverTime, offsetMicros }) => [
        node,
        address === '' || address === server ? server : `${server} (${address})`,
        nodeTime,
        serverTime,
        signed(offsetMicros),
      ]),
    );
  await printFound(terminal, format, found, {
    single: false,
    text: () => (results.length === 0 ? '' : table()),
  });
  throwFailures();
}

function shown({ localMicros, remoteMicros }: TimeResponse): {
  readonly nodeTime: string;
  readonly serverTime: string;
} {
  return { nodeTime: timeOf(localMicros), serverTime: timeOf(remoteMicros) };
}

/** RFC 3339 with microseconds. */
function timeOf(micros: bigint): string {
  const millis = new Date(Number(micros / 1000n)).toISOString().slice(0, -1);
  return `${millis}${String(micros % 1000n).padStart(3, '0')}Z`;
}

function signed(micros: bigint): string {
  const seconds = (Number(micros) / 1e6).toFixed(6);
  return micros > 0n ? `+${seconds}` : seconds;
}
