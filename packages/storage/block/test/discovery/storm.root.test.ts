import { closeSync, openSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rm, rmdir, truncate } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';

import { command, loopDevice, type LoopDevice, output, program, root, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { BlockEvents } from '../../src/discovery/block-events.ts';
import { type DiscoveredVolume, type Inventory, list, watch } from '../../src/index.ts';
import { sfdisk } from '../contents.ts';

const rooted = testWith(root, program('losetup'), program('partx'), program('sfdisk'));

const mebibyte = 1 << 20;

const idOf = ({ path }: LoopDevice): string => path.slice('/dev/'.length);

/** Volumes of these disks and their partitions. */
function volumesOf({ volumes }: Inventory, ids: ReadonlySet<string>): readonly DiscoveredVolume[] {
  return volumes.filter(({ id, parent }) => ids.has(parent || id));
}

/** Numbers from 0 to below `limit`, the same for every run. */
function dice(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** One disk that comes, is partitioned, grows, is formatted and goes, in an order of its own. */
async function storm(t: ExecutionContext, seed: number, seen: Set<string>): Promise<LoopDevice> {
  const roll = dice(seed);
  let disk = await loopDevice(t, { sizeBytes: 16 * mebibyte });
  for (let step = 0; step < 8; step++) {
    seen.add(idOf(disk));
    const { file, path } = disk;
    switch (roll(5)) {
      case 0:
        await command(['partx', '--delete', path]);
        await disk.detach();
        disk = await loopDevice(t, { file });
        break;
      case 1:
        await truncate(file, (16 + roll(48)) * mebibyte);
        await output(['losetup', '--set-capacity', path]);
        break;
      case 2:
        await sfdisk(path, `label: gpt\nsize=${1 + roll(4)}M, name=n${step}\nsize=${1 + roll(4)}M\n`);
        await command(['partx', '--update', path]);
        break;
      case 3:
        await command(['partx', '--delete', path]);
        break;
      default:
        await output(['mkswap', '-q', '-f', '-L', `s${step}`, path]);
    }
  }
  t.teardown(() => command(['partx', '--delete', disk.path]));
  return disk;
}

rooted(
  'after a storm of disks that come, grow, are partitioned and go, a watch says what is there',
  async (t) => {
    t.timeout(120_000);
    const watching = watch();
    t.teardown(() => watching.return?.());
    await watching.next();
    const ids = new Set<string>();
    const storms = Promise.all([11, 22, 33, 44].map((seed) => storm(t, seed, ids)));
    const over = storms.then(() => true);
    let newest: Inventory | undefined;
    // Read all the time, so that scans run amid the changes.
    const reading = (async () => {
      for await (const inventory of watching) {
        newest = inventory;
        const calm = await Promise.race([over, Promise.resolve(false)]);
        if (calm && isDeepStrictEqual(volumesOf(inventory, ids), volumesOf(await list(), ids))) return;
      }
    })();
    const disks = await storms;
    // The last word of the storm was announced like all others: whoever misses one waits here until the test's end.
    const nudge = await loopDevice(t, { sizeBytes: mebibyte });
    await reading;
    t.not(nudge.path, '');
    for (const disk of disks) {
      const id = idOf(disk);
      const sectors = (await readFile(`/sys/block/${id}/size`, 'utf8')).trim();
      t.is(newest?.volumes.find((volume) => volume.id === id)?.size, BigInt(sectors) * 512n);
    }
  },
);

rooted(
  'announcements that were lost lead to a look at everything, and later ones arrive again',
  async (t) => {
    const one = await loopDevice(t, { sizeBytes: mebibyte });
    const two = await loopDevice(t, { sizeBytes: mebibyte });
    const lost = Promise.withResolvers<void>();
    let seen = Promise.withResolvers<string>();
    const next = (): Promise<string> => {
      seen = Promise.withResolvers();
      return seen.promise;
    };
    const listener = {
      onDisk: (id: string) => seen.resolve(id),
      onFacts: () => {},
      onOverflow: () => lost.resolve(),
    };
    using events = new BlockEvents(listener, { receiveBufferBytes: 4096 });
    const running = events.run();
    // This thread does not read meanwhile: the buffer has room for a handful.
    for (let count = 0; count < 200; count++) writeFileSync(`/sys/block/${idOf(one)}/uevent`, 'change');
    await lost.promise;
    writeFileSync(`/sys/block/${idOf(two)}/uevent`, 'change');
    while ((await next()) !== idOf(two));
    t.pass();
    events[Symbol.dispose]();
    await running;
  },
);

rooted('a queue of writers that overflowed leads to a look at everything', async (t) => {
  const disks = [await loopDevice(t, { sizeBytes: mebibyte }), await loopDevice(t, { sizeBytes: mebibyte })];
  const limit = Number(await readFile('/proc/sys/fs/inotify/max_queued_events', 'utf8'));
  const overflow = Promise.withResolvers<void>();
  const listener = { onDisk: () => {}, onFacts: () => {}, onOverflow: () => overflow.resolve() };
  using events = new BlockEvents(listener);
  for (const disk of disks) events.watchNode(idOf(disk), disk.path);
  const running = events.run();
  // Equal events in a row become one, so two disks take turns.
  for (let count = 0; count <= limit; count++) {
    closeSync(openSync(disks[count % 2]?.path ?? '', 'r+'));
  }
  await overflow.promise;
  t.pass();
  events[Symbol.dispose]();
  await running;
});

function path(name: string): string {
  return `/dev/mapper/storm-${process.pid}-${name}`;
}

rooted("the node of a mapping that is gone, or has another name, is nobody's any more", async (t) => {
  const made = await mkdir('/dev/mapper', { recursive: true });
  const names = ['former', 'gone', 'there', 'last'];
  t.teardown(async () => {
    for (const name of names) await rm(path(name), { force: true, recursive: true });
    if (made !== undefined) await rmdir(made);
  });
  const one = await loopDevice(t, { sizeBytes: mebibyte });
  const told: string[] = [];
  const removed = Promise.withResolvers<void>();
  const last = Promise.withResolvers<void>();
  const onDisk = (id: string): void => {
    told.push(id);
    if (id === idOf(one)) removed.resolve();
    if (id === 'dm-last') last.resolve();
  };
  using events = new BlockEvents({ onDisk, onFacts: () => {}, onOverflow: () => {} });
  const running = events.run();
  events.watchNode('dm-renamed', path('former'));
  events.watchNode('dm-renamed', path('there'));
  events.watchNode(idOf(one), path('gone'));
  events.watchNode('dm-last', path('last'));
  writeFileSync(`/sys/block/${idOf(one)}/uevent`, 'remove');
  await removed.promise;
  told.length = 0;
  for (const name of names) await mkdir(path(name)); // a node that nobody writes to
  await last.promise;
  t.deepEqual(
    told.filter((id) => id === idOf(one) || id.startsWith('dm-')),
    ['dm-renamed', 'dm-last'],
  );
  events[Symbol.dispose]();
  await running;
});
