import { ApiError } from '@nodecore/api';
import type { ServiceHealthInfo, ServiceInfo } from '@nodecore/api/service';
import { print, printable, printFound, readFormat, Table, type Terminal } from '@nodecore/cli';

import type { GlobalFlags, MaintenanceFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { type Target, Targets } from '../nodes/target.ts';
import { age } from './age.ts';

/** What can be said behind the name of a service. */
export type ServiceAction = 'start' | 'stop' | 'restart' | 'status';

export type ServiceFlags = GlobalFlags & MaintenanceFlags & { readonly output: string };

const headers = ['node', 'service', 'state', 'health', 'last change', 'last event'];

/** Prints every service of all nodes. */
export async function listServices(flags: ServiceFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, (target) => services(target, terminal));
  const found = results.flatMap(({ target, result }) => result.map((each) => objectOf(target.name, each)));
  const text = (): string => new Table(headers).format(found.map(rowOf));
  if (results.length > 0) await printFound(terminal, format, found, { single: false, text });
  throwFailures();
}

/** Prints all that is known of one service. */
export async function showService(id: string, flags: ServiceFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, async (target) => {
    const found = (await services(target, terminal)).find((each) => each.id === id);
    if (found !== undefined) return objectOf(target.name, found);
    const { client, node } = target;
    const { endpoint } = client;
    throw new ApiError('ERR_API_NOT_FOUND', `${target.name}: service ${JSON.stringify(id)} not defined`, {
      endpoint,
      ...(node !== undefined && { node }),
    });
  });
  const found = results.map(({ result }) => result);
  const text = (): string => found.map(blockOf).join('\n');
  await printFound(terminal, format, found, { single: false, text });
  throwFailures();
}

/** Starts, stops or restarts a service, and prints what the nodes say. */
export async function performOn(
  id: string,
  action: Exclude<ServiceAction, 'status'>,
  flags: ServiceFlags,
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const { signal } = terminal;
  const { results, throwFailures } = await everyNode(targets.all, ({ client, node }) => {
    if (action === 'restart') return client.services.restart({ id }, { node, signal });
    return client.services[action](id, { node, signal });
  });
  const found = results.map(({ target, result }) => ({ node: target.name, id, response: result.response }));
  if (format.kind !== 'table') await printFound(terminal, format, found, { single: false, text: () => '' });
  else if (found.length > 0) {
    const rows = found.map(({ node, response }) => [node, response]);
    await print(terminal.out, new Table(['node', 'response']).format(rows));
  }
  throwFailures();
}

async function services({ client, node }: Target, { signal }: Terminal): Promise<readonly ServiceInfo[]> {
  return (await client.services.list({ node, signal })).services;
}

function objectOf(node: string, { events, health, ...info }: ServiceInfo) {
  return {
    node,
    ...info,
    health: wordOf(health),
    lastHealthMessage: health?.lastMessage ?? '',
    events: events.map(({ state, message, timeMillis }) => ({
      state,
      message,
      time: new Date(Number(timeMillis)).toISOString(),
    })),
  };
}

type Shown = ReturnType<typeof objectOf>;

function wordOf(health: ServiceHealthInfo | undefined): 'OK' | 'Fail' | '?' {
  if (health === undefined || health.unknown) return '?';
  return health.healthy ? 'OK' : 'Fail';
}

function rowOf({ node, id, state, health, events }: Shown): string[] {
  const last = events.at(-1);
  return [node, id, state, health, last === undefined ? '' : `${age(last.time)} ago`, last?.message ?? ''];
}

function blockOf({ node, id, state, health, lastHealthMessage, events }: Shown): string {
  const facts: [string, string][] = [
    ['NODE', node],
    ['ID', id],
    ['STATE', state],
    ['HEALTH', health],
    ...(lastHealthMessage === ''
      ? []
      : [['LAST HEALTH MESSAGE', lastHealthMessage] satisfies [string, string]]),
    ...events
      .toReversed()
      .map((event, index): [string, string] => [
        index === 0 ? 'EVENTS' : '',
        `[${event.state}]: ${event.message} (${age(event.time)} ago)`,
      ]),
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${name.padEnd(width)}   ${printable(value)}\n`).join('');
}
