import { randomUUID } from 'node:crypto';
import { open, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { emptiness, filesystems, type Inventory, list, partitions } from '@nodecore/block';
import { loopDevice, output, program, root, testWith } from '@nodecore/testkit';
import type { VolumeStatus } from '@nodecore/volumes';
import type { ExecutionContext } from 'ava';

import type { WipeEvent } from '../src/wipes/wipe-event.ts';
import { type WipeOrder, Wipes } from '../src/wipes/wipes.ts';

const mebibyte = 1 << 20;
const rooted = testWith(root, program('mkfs.ext4'));
const typeGuid = '0FC63DAF-8483-4772-8E79-3D69D8477DE4';

/** A disk with two filesystems on two partitions. */
async function disk(t: ExecutionContext, sizeBytes = 200 * mebibyte) {
  const { path } = await loopDevice(t, { sizeBytes });
  await partitions.create(path);
  const made = [];
  for (const label of ['a', 'b']) {
    const options = { label, typeGuid, partitionGuid: randomUUID(), underConstruction: false };
    const partition = await partitions.add(path, { ...options, sizeBytes: BigInt(64 * mebibyte) });
    await filesystems.format(partition.devPath, { type: 'ext4' });
    made.push(partition.devPath);
  }
  const [one = '', two = ''] = made;
  return { path, id: basename(path), one, two };
}

function noVolumes(): never {
  throw new Error('nobody wipes volumes here');
}

async function wipes(statuses: VolumeStatus[] = []): Promise<Wipes> {
  const value: Inventory = await list();
  const volumes = {
    statuses: () => statuses,
    seekersOf: () => ['u-next'],
    checkWipe: noVolumes,
    wipe: noVolumes,
  };
  return new Wipes({ inventory: { value }, volumes, isConfigured: () => true });
}

const order = (devices: readonly string[], more: Partial<WipeOrder> = {}): WipeOrder => ({
  devices: devices.map((path) => basename(path)),
  method: 'fast',
  dropPartition: false,
  dryRun: false,
  ...more,
});

const never = (): AbortSignal => new AbortController().signal;

async function all(events: AsyncIterable<WipeEvent>): Promise<WipeEvent[]> {
  const seen: WipeEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

rooted('a partition is wiped, then its entry goes, and the other one stays what it is', async (t) => {
  const { path, one, two } = await disk(t);
  const service = await wipes();
  const planned = await all(service.request(order([one], { dryRun: true }), never()));
  t.deepEqual(
    planned.map(({ device, state, content, takers }) => [device, state, content, takers]),
    [[basename(one), 'planned', 'ext4', ['u-next']]],
  );
  t.is((await partitions.read(path))?.partitions.length, 2);
  const events = await all(service.request(order([one], { dropPartition: true }), never()));
  t.is(events[0]?.state, 'running');
  t.like(events.at(-1), { device: basename(one), state: 'done', doneBytes: 64n << 20n });
  const table = await partitions.read(path);
  t.deepEqual(
    table?.partitions.map(({ devPath }) => devPath),
    [two],
  );
});

testWith(
  root,
  program('mkfs.ext4'),
  program('addpart'),
)('an entry goes only when all that it stands for was wiped', async (t) => {
  const { path, one, two } = await disk(t);
  const [entry] = (await partitions.read(path))?.partitions ?? [];
  const start = (entry?.offset ?? 0n) / 512n;
  await output(['delpart', path, '1']);
  await output(['addpart', path, '1', `${start + 8n}`, '2048']); // in another place than the table has it
  await writeFile(one, Buffer.alloc(4096, 'theirs'));
  const elsewhere = await wipes();
  await t.throwsAsync(all(elsewhere.request(order([one], { dropPartition: true }), never())), {
    code: 'ERR_WIPE_REFUSED',
    message: /is not where the table/,
  });
  t.is((await readFile(one)).toString('utf8', 0, 6), 'theirs');
  await output(['delpart', path, '1']);
  await output(['addpart', path, '1', `${start}`, '2048']); // and smaller: most of the filesystem is behind it
  const behind = (entry?.offset ?? 0n) + (entry?.size ?? 0n) - 4096n;
  await using file = await open(path, 'r+');
  await file.write(Buffer.alloc(4096, 'old'), 0, 4096, Number(behind));
  await file.sync();
  const smaller = await wipes();
  t.like((await all(smaller.request(order([one], { dropPartition: true }), never()))).at(-1), {
    state: 'done',
  });
  const { buffer } = await file.read(Buffer.alloc(4096), 0, 4096, Number(behind));
  t.true(buffer.every((byte) => byte === 0));
  t.deepEqual(
    (await partitions.read(path))?.partitions.map(({ devPath }) => devPath),
    [two],
  );
});

rooted('when one of several devices is used nothing is touched', async (t) => {
  const { one, two, path } = await disk(t);
  const used = { id: 'u-a', phase: 'ready', location: two, parentLocation: path } as VolumeStatus;
  const service = await wipes([used]);
  await t.throwsAsync(all(service.request(order([one, two]), never())), {
    code: 'ERR_WIPE_REFUSED',
    message: `${basename(two)} is used by volume u-a: take that out of the configuration first`,
  });
  t.false((await emptiness(one)).empty);
});

rooted('a volume that takes a device while another is wiped keeps it', async (t) => {
  const { one, two } = await disk(t);
  const statuses: VolumeStatus[] = [];
  const service = await wipes(statuses);
  const taking = async (): Promise<void> => {
    for await (const { device, state } of service.request(order([one, two]), never()))
      if (device === basename(one) && state === 'done')
        statuses.push({ id: 'u-b', phase: 'located', location: two } as VolumeStatus);
  };
  await t.throwsAsync(taking(), { code: 'ERR_WIPE_REFUSED' });
  t.false((await emptiness(two)).empty);
});

rooted('a disk is zeroed whole; one request at a time, and who stops reading ends it', async (t) => {
  const { path } = await disk(t, 600 * mebibyte);
  const service = await wipes();
  const running = service.request(order([path], { method: 'zeroes' }), never());
  await running.next(); // begins
  await t.throwsAsync(all(service.request(order([path]), never())), { code: 'ERR_WIPE_BUSY' });
  let { value } = await running.next();
  while (value?.doneBytes === 0n) ({ value } = await running.next());
  t.true(value !== undefined && value.doneBytes < 600n << 20n, `${value?.doneBytes}`);
  await running.return();
  t.like(await emptiness(path), { empty: true });
  const again = await all(service.request(order([path], { method: 'zeroes' }), never()));
  t.is(again.at(-1)?.state, 'done');
});
