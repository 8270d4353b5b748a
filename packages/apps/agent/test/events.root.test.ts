import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Client, connect } from '@nodecore/api';
import type { EventsRequestInit, NodeEvent } from '@nodecore/api/event';
import { ApplyMode } from '@nodecore/api/machine';
import * as pki from '@nodecore/pki';
import { command, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { AgentProcess } from './agent-process.ts';
import { authority, rootDocument } from './documents.ts';

const ca = await authority();
const test = testWith(root);

function anybody(t: ExecutionContext, agent: AgentProcess): Client {
  const client = connect({ endpoint: agent.endpoint, insecure: true });
  t.teardown(() => client.close());
  return client;
}

async function admin(t: ExecutionContext, agent: AgentProcess): Promise<Client> {
  const { crt, key } = await pki.issueClient(ca, { roles: ['os:admin'] });
  const client = connect({ endpoint: agent.endpoint, ca: ca.crt, crt, key });
  t.teardown(() => client.close());
  return client;
}

async function past(client: Client, request: EventsRequestInit = { tailEvents: -1 }): Promise<NodeEvent[]> {
  const found: NodeEvent[] = [];
  for await (const { events } of client.events({ ...request, pastOnly: true })) found.push(...events);
  return found;
}

/** Until the condition holds, for half a minute. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const late = Date.now() + 30_000;
  while (!(await holds())) {
    if (Date.now() > late) throw new Error('not within half a minute');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const idsOf = (events: readonly NodeEvent[]): string[] => events.map(({ id }) => id);

/** A change of the configuration that changes nothing of this machine. */
const changed = (count: number): Buffer => Buffer.from(`${rootDocument(ca)}# ${count}\n`);

test('events survive kill -9 again and again, each once, in their order, and a reader goes on where it was', async (t) => {
  const directory = await temporaryDirectory(t);
  const file = join(directory, 'state', 'events', 'events.log');
  let known: string[] = [];
  for (let life = 0; life < 2; life += 1) {
    const agent = await AgentProcess.start(t, directory);
    if (life === 0) await anybody(t, agent).applyConfiguration({ data: changed(0), mode: ApplyMode.AUTO });
    const client = await admin(t, agent);
    const { actorId } = await client.applyConfiguration({ data: changed(life + 1) });
    const cursor = known.at(-1);
    const behind = cursor === undefined ? undefined : idsOf(await past(client, { tailId: cursor }));
    const all = await past(client);
    const ids = idsOf(all);
    t.deepEqual(ids, ids.toSorted(), `life ${life}`);
    t.is(new Set(ids).size, ids.length);
    t.deepEqual(
      ids.slice(0, known.length),
      known,
      'nothing of the past is gone, and nothing stands before it',
    );
    if (behind !== undefined) t.deepEqual(ids.slice(known.length, known.length + behind.length), behind);
    const own = await past(client, { tailEvents: -1, withActorId: actorId });
    t.deepEqual(
      own.flatMap(({ data }) => data?.sequence?.sequence ?? []),
      ['apply', 'apply'],
    );
    const last = ids.at(-1) ?? '';
    await until(async () => (await readFile(file, 'utf8')).includes(last));
    known = ids;
    await agent.kill();
    // As a power cut in the middle of the next line leaves it.
    await writeFile(file, `0badc0de {"id":"`, { flag: 'a' });
  }
  t.true(known.length >= 6);
});

test('a full disk stops nothing: events are in memory, and on the disk again when there is room', async (t) => {
  const directory = await temporaryDirectory(t);
  const place = join(directory, 'state', 'events');
  await mkdir(place, { recursive: true });
  await command(['mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place]);
  t.teardown(() => command(['umount', place]));
  const filler = join(place, 'filler');
  await writeFile(filler, Buffer.alloc(60 << 10));
  await writeFile(`${filler}-too`, Buffer.alloc(8 << 10)).catch(() => {}); // as much as fits
  const agent = await AgentProcess.start(t, directory);
  t.teardown(() => agent.kill());
  await anybody(t, agent).applyConfiguration({ data: changed(0), mode: ApplyMode.AUTO });
  await agent.line('events are in memory alone: their file takes none');
  const client = await admin(t, agent);
  for (let count = 1; count < 5; count += 1) await client.applyConfiguration({ data: changed(count) });
  const ids = idsOf(await past(client));
  t.true(ids.length >= 10);
  await rm(filler);
  await rm(`${filler}-too`, { force: true });
  await agent.line('events are kept again');
  const kept = await readFile(join(place, 'events.log'), 'utf8');
  const missing = ids.filter((id) => !kept.includes(id));
  t.deepEqual(missing, []);
  await agent.kill();
});
