import { type Client, connect } from '@nodecore/api';
import { EventType } from '@nodecore/api/resource';
import * as pki from '@nodecore/pki';
import type { ExecutionContext } from 'ava';

import { eventsUntil, words } from '../../packages/apps/agent/test/watched-events.ts';
import type { Authority } from './agent-node.ts';

const type = 'MetaKeys.runtime.nodecore.dev';
const [changing, last] = [0x0c, 0x0d];
const callers = 10;
const watchesOfEach = 100;
const rounds = 5;
const isLast = (id: string): boolean => Number(id) === last;
/** A tenth of them begins anew after every four events. */
const again = (index: number): number => (index % 10 === 0 ? 4 : Infinity);

/** A thousand watches of ten identities on a node see all that happens to what META keeps, once and in order, also those that begin anew. */
export async function checkWatches(
  t: ExecutionContext,
  admin: Client,
  port: number,
  ca: Authority,
): Promise<void> {
  const connected = Array.from({ length: callers }, async () => {
    const reader = await pki.issueClient(ca, { roles: ['os:reader'] });
    return connect({ endpoint: `127.0.0.1:${port}`, ca: ca.crt, ...reader });
  });
  const clients = await Promise.all(connected);
  const all = Promise.withResolvers<void>();
  let waiting = callers * watchesOfEach;
  const ready = (): void => {
    waiting -= 1;
    if (waiting === 0) all.resolve();
  };
  const watches = clients.flatMap((client) =>
    Array.from({ length: watchesOfEach }, (_each, index) =>
      eventsUntil(client, { type, isLast, ready, again: again(index) }),
    ),
  );
  await Promise.race([all.promise, Promise.all(watches)]);

  const happened = await churn(t, admin);
  await admin.metaWrite({ key: last, value: Buffer.from('the last') });
  const seen = await Promise.all(watches);
  await admin.metaDelete({ key: last });
  clients.forEach((client) => client.close());
  t.is(seen.length, callers * watchesOfEach);
  const others = seen.filter((each) => each.join() !== happened.join());
  t.deepEqual(others[0] ?? happened, happened, `${others.length} saw something else`);
}

/** A value comes, changes and goes, each when the one before can be seen: changes that nobody has seen yet may be told as one. */
async function churn(t: ExecutionContext, admin: Client): Promise<readonly string[]> {
  const happened: string[] = [];
  const messages = admin.watch({ type })[Symbol.asyncIterator]();
  const take = async (): Promise<boolean> => {
    const message = await messages.next();
    const events = message.done === true ? [] : message.value.events;
    for (const event of events) {
      if (event.type === EventType.BOOTSTRAPPED) return true;
      happened.push(`${words[event.type]} ${event.resource?.metadata?.id}`);
    }
    return events.length === 0;
  };
  while (!(await take()));
  const value = (text: string): Promise<void> => admin.metaWrite({ key: changing, value: Buffer.from(text) });
  for (let round = 0; round < rounds; round += 1) {
    for (const [kinds, change] of [
      [['created'], () => value(`new ${round}`)],
      [['updated'], () => value(`changed ${round}`)],
      [['updated', 'destroyed'], () => admin.metaDelete({ key: changing })], // it is torn down first
    ] as const) {
      const before = happened.length;
      await change();
      while (happened.length < before + kinds.length) await take();
      t.deepEqual(
        happened.slice(before),
        kinds.map((kind) => `${kind} 0x0c`),
      );
    }
  }
  await messages.return?.();
  return happened;
}
