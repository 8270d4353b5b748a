import { followEvents } from '@nodecore/api';
import type { EventsRequestInit, NodeEvent } from '@nodecore/api/event';
import {
  type Format,
  formatStreamed,
  print,
  readFormat,
  Table,
  type Terminal,
  UsageError,
} from '@nodecore/cli';

import { errorLines } from '../error-lines.ts';
import type { MaintenanceFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { type Target, Targets } from '../nodes/target.ts';
import { describe } from './describe.ts';

export type EventsFlags = MaintenanceFlags & {
  readonly tail: number;
  /** Milliseconds; 0: none of the past. */
  readonly duration: number;
  readonly since?: string;
  readonly actorId?: string;
  /** False with `--no-follow`. */
  readonly follow: boolean;
  readonly output: string;
};

const headers = ['node', 'id', 'event', 'actor', 'source', 'message'];

/** Prints what happens on nodes, from the past that is asked for on, until interrupted. */
export async function showEvents(flags: EventsFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  const request = requestOf(flags);
  await using targets = await Targets.open(flags, terminal);
  const table = new Table(headers);
  const { throwFailures } = await everyNode(targets.all, (target) =>
    follow(target, request, { format, table }, terminal),
  );
  throwFailures();
}

type Output = { readonly format: Format; readonly table: Table };

async function follow(
  { name, client, node }: Target,
  request: EventsRequestInit,
  { format, table }: Output,
  terminal: Terminal,
): Promise<void> {
  const { signal } = terminal;
  const onInterruption = (error: unknown): void => {
    terminal.error.write(`osctl: ${errorLines(error)[0]}; connecting again\n`);
  };
  for await (const events of followEvents(client, request, { node, signal, onInterruption })) {
    if (format.kind === 'table') {
      if (events.length > 0)
        await print(terminal.out, table.format(events.flatMap((event) => rows(name, event))));
      continue;
    }
    for (const event of events)
      await print(terminal.out, await formatStreamed(objectOf(name, event), format));
  }
}

/** @throws {UsageError} for ways into the past that exclude each other. */
function requestOf({ tail, duration, since, actorId, follow: goesOn }: EventsFlags): EventsRequestInit {
  if ([tail !== 0, duration !== 0, since !== undefined].filter(Boolean).length > 1)
    throw new UsageError('--tail, --duration and --since are three ways into the past: use one of them');
  return {
    tailEvents: tail,
    tailSeconds: Math.ceil(duration / 1000),
    tailId: since ?? '',
    withActorId: actorId ?? '',
    pastOnly: !goesOn,
  };
}

/** An event in a row of its own, and one before it where something is missing. */
function rows(node: string, event: NodeEvent): string[][] {
  const { event: kind, source, message } = describe(event);
  const row = [node, event.id, kind, event.actorId, source, message];
  if (event.lost === 0n) return [row];
  return [[node, '', 'lost', '', '', `${event.lost} events that nobody could keep`], row];
}

function objectOf(node: string, event: NodeEvent): object {
  const { event: kind, source, message } = describe(event);
  const { id, actorId, bootId, timeMillis, lost, data } = event;
  const time = new Date(Number(timeMillis)).toISOString();
  return {
    node,
    id,
    time,
    bootId,
    actorId,
    event: kind,
    source,
    message,
    ...(lost > 0n && { lost }),
    data,
  };
}
