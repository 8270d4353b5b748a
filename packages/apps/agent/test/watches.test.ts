import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import { type Change, type Client, connect, follow } from '@nodecore/api';
import { ApplyMode } from '@nodecore/api/machine';
import * as pki from '@nodecore/pki';
import test, { type ExecutionContext } from 'ava';

import { disks } from '../src/discovery/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { apiNode, ca } from './api-node.ts';
import { rootDocument } from './documents.ts';
import { eventsUntil } from './watched-events.ts';

type Node = Awaited<ReturnType<typeof apiNode>>;

const last = 'the last';
const isLast = (id: string): boolean => id === last;

async function configured(t: ExecutionContext): Promise<Node> {
  const node = await apiNode(t);
  const data = Buffer.from(rootDocument(ca));
  await node.insecure().applyConfiguration({ data, mode: ApplyMode.AUTO });
  return node;
}

/** Has resources come, change and go. @returns what happened, in order. */
async function churn(
  { store }: Node,
  name: string,
  count: number,
  pause = async () => {},
): Promise<string[]> {
  const happened: string[] = [];
  for (let each = 0; each < count; each += 1) {
    const key = { ...kindOf(disks), id: `${name}${each}` };
    store.create(key, { size: each });
    store.update(key, 1, { size: -each });
    happened.push(`created ${key.id}`, `updated ${key.id}`);
    if (each % 2 === 0) {
      store.destroy(key);
      happened.push(`destroyed ${key.id}`);
    }
    await pause();
    await setImmediate();
  }
  return happened;
}

test('a thousand watches of ten callers see every event, once and in order, also those that begin anew', async (t) => {
  const node = await configured(t);
  const callers = await Promise.all(
    Array.from({ length: 10 }, () => pki.issueClient(ca, { roles: ['os:reader'] })),
  );
  const clients = callers.map((caller) => connect({ endpoint: node.endpoint, ca: ca.crt, ...caller }));
  t.teardown(() => clients.forEach((client) => client.close()));
  const all = Promise.withResolvers<void>();
  let waiting = 1_000;
  const ready = (): void => {
    waiting -= 1;
    if (waiting === 0) all.resolve();
  };
  // Until the node has seen the end of one, the next one is one more: a caller has 128 calls.
  const watches = clients.flatMap((client) =>
    Array.from({ length: 100 }, (_each, index) =>
      eventsUntil(client, { type: disks.type, isLast, ready, again: index % 5 === 0 ? 30 : Infinity }),
    ),
  );
  await Promise.race([all.promise, Promise.all(watches)]);
  t.is(waiting, 0);
  const happened = await churn(node, 'disk', 20);
  node.store.create({ ...kindOf(disks), id: last }, {});
  const seen = await Promise.all(watches);
  t.is(seen.length, 1_000);
  for (const each of seen) if (each.join() !== happened.join()) t.deepEqual(each, happened);
});

/** An address that leads to one node at a time, and whose connections can be cut. */
async function wire(t: ExecutionContext, first: Node) {
  const sockets = new Set<Socket>();
  let node = first;
  const server = createServer((near) => {
    const far = connectTcp(node.address.port, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  t.teardown(() => {
    cut();
    server.close();
  });
  const leadTo = (next: Node): void => {
    node = next;
    cut();
  };
  return { endpoint: `127.0.0.1:${(server.address() as AddressInfo).port}`, cut, leadTo };
}

const atOnce = { now: () => 0, sleep: async () => {} };

/** Follows until the last resource is there. @param progress is told of every change. */
async function followed(client: Client, progress: (seen: number) => void): Promise<string[]> {
  const seen: string[] = [];
  for await (const changes of follow(client, { type: disks.type }, { clock: atOnce })) {
    for (const change of changes) {
      if (change.kind === 'bootstrapped') continue;
      if (idOf(change) === last) return seen;
      seen.push(`${change.kind} ${idOf(change)}`);
    }
    progress(seen.length);
  }
  return seen;
}

function idOf(change: Exclude<Change, { kind: 'bootstrapped' }>): string | undefined {
  return change.resource.metadata?.id;
}

test('followers whose connections are cut under load miss nothing, and see nothing twice', async (t) => {
  const node = await configured(t);
  const { endpoint, cut } = await wire(t, node);
  const clients = await Promise.all(
    Array.from({ length: 4 }, async () =>
      connect({ endpoint, ca: ca.crt, ...(await pki.issueClient(ca, { roles: ['os:reader'] })) }),
    ),
  );
  t.teardown(() => clients.forEach((client) => client.close()));
  node.store.create({ ...kindOf(disks), id: 'first' }, {});
  const begun = clients.map(() => Promise.withResolvers<void>());
  const seen = clients.map((client, index) => followed(client, () => begun[index]?.resolve()));
  await Promise.all(begun.map(({ promise }) => promise));
  let turns = 0;
  const happened = await churn(node, 'disk', 120, async () => {
    turns += 1;
    if (turns % 40 === 0) cut();
  });
  node.store.create({ ...kindOf(disks), id: last }, {});
  for (const each of await Promise.all(seen)) t.deepEqual(each, ['created first', ...happened]);
});

test('followers of an agent that is killed under load are told what is different in its next life, and that once', async (t) => {
  const [before, after] = [await configured(t), await configured(t)];
  const { endpoint, leadTo } = await wire(t, before);
  const caller = await pki.issueClient(ca, { roles: ['os:reader'] });
  const client = connect({ endpoint, ca: ca.crt, ...caller });
  t.teardown(() => client.close());
  before.store.create({ ...kindOf(disks), id: 'stays' }, { size: 1 });
  before.store.create({ ...kindOf(disks), id: 'goes' }, { size: 1 });
  after.store.create({ ...kindOf(disks), id: 'comes' }, { size: 1 });
  await churn(after, 'new', 20);
  const begun = Promise.withResolvers<void>();
  const seen = followed(client, (count) => void (count > 10 && begun.resolve()));
  const load = churn(before, 'old', 200);
  await begun.promise;
  leadTo(after);
  await before.server.close();
  await load;
  const later = await churn(after, 'later', 20);
  after.store.create({ ...kindOf(disks), id: last }, {});
  const view = new Map<string, string>();
  const order: Readonly<Record<string, readonly (string | undefined)[]>> = {
    created: [undefined, 'destroyed'],
    updated: ['created', 'updated'],
    destroyed: ['created', 'updated'],
  };
  for (const line of await seen) {
    const [kind = '', id = ''] = line.split(' ');
    t.true(order[kind]?.includes(view.get(id)) === true, `${line} after ${view.get(id)}`);
    view.set(id, kind);
  }
  const there = [...view].filter(([, kind]) => kind !== 'destroyed').map(([id]) => id);
  const { resources } = after.store.list(kindOf(disks));
  const expected = resources.map(({ metadata }) => metadata.id).filter((id) => id !== last);
  t.deepEqual(there.toSorted(), expected.toSorted());
  t.true(later.length > 0);
});
