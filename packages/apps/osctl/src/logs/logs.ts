import type { LogsRequestInit, LogsResponse } from '@nodecore/api/service';
import { formatStreamed, print, readFormat, type Terminal, UsageError } from '@nodecore/cli';

import type { GlobalFlags, MaintenanceFlags } from '../flags.ts';
import { again } from '../nodes/again.ts';
import { everyNode } from '../nodes/every-node.ts';
import { type Target, Targets } from '../nodes/target.ts';
import { Lines } from './lines.ts';
import { readable } from './readable.ts';

export type LogsFlags = GlobalFlags &
  MaintenanceFlags & {
    readonly follow?: boolean;
    /** -1: everything. */
    readonly tail: number;
    readonly kind: 'service' | 'container' | 'vm';
    readonly namespace: string;
    readonly raw?: true;
    readonly output: string;
  };

type Show = (target: Target, data: Uint8Array) => Promise<void>;

/** Prints the log of a service; lines of nodes are never mixed. A lost connection is made again, and nothing comes twice. */
export async function printLogs(id: string, flags: LogsFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  if (flags.raw === true && (targets.all.length > 1 || format.kind !== 'table'))
    throw new UsageError('--raw is for one node, and for no other format');
  if (flags.kind === 'vm' && targets.all.length > 1)
    throw new UsageError('--kind vm is for one node: name it with -n');
  const show: Show = async ({ name }, line) => {
    const text = Buffer.from(line).toString('utf8');
    if (format.kind === 'table') await print(terminal.out, `${name}: ${readable(text)}\n`);
    else await print(terminal.out, await formatStreamed({ node: name, id, line: text }, format));
  };
  const { throwFailures } = await everyNode(targets.all, async (target) => {
    const lines = new Lines();
    for await (const { data, lost } of piecesOf(target, requestOf(id, flags), terminal)) {
      if (lost > 0n) terminal.error.write(`osctl: ${target.name}: ${lost} bytes of the log are lost\n`);
      if (flags.raw === true) await print(terminal.out, data);
      else for (const line of lines.add(data)) await show(target, line);
    }
    for (const line of lines.end()) await show(target, line);
  });
  throwFailures();
}

function requestOf(id: string, { follow = false, tail, namespace, kind }: LogsFlags): LogsRequestInit {
  return { id, kind, namespace, follow, ...(tail >= 0 && { tailLines: tail }) };
}

/** What a node sends, over lost connections: each byte once. */
async function* piecesOf(
  { client, node }: Target,
  request: LogsRequestInit,
  terminal: Terminal,
): AsyncGenerator<LogsResponse, void, undefined> {
  const { signal } = terminal;
  let from: Pick<LogsRequestInit, 'fromOffset' | 'fromBootId'> = {};
  const begin = (): AsyncIterable<LogsResponse> => {
    return client.services.logs({ ...request, ...from }, { node, signal });
  };
  for await (const piece of request.follow === true ? again(begin, terminal) : begin()) {
    from = { fromOffset: piece.offset + BigInt(piece.data.length), fromBootId: piece.bootId };
    yield piece;
  }
}
