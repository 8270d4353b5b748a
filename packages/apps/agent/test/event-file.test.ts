import { readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';
import { pino } from 'pino';

import type { NodeEvent } from '../src/events/event.ts';
import { EventFile } from '../src/events/event-file.ts';
import { EventKeeper } from '../src/events/event-keeper.ts';
import { EventLog } from '../src/events/event-log.ts';

const log = pino({ level: 'silent' });

function eventsOf(count: number, bootId = 'boot'): { readonly events: EventLog; readonly made: NodeEvent[] } {
  const events = new EventLog({ clock: new FakeClock(), bootId });
  const made = Array.from({ length: count }, (_, index) =>
    events.emit({ type: 'task', task: `task ${index} ä\n`, action: 'start' }),
  );
  return { events, made };
}

test('events survive the boot, in their order', async (t) => {
  const directory = join(await temporaryDirectory(t), 'events');
  const first = await EventFile.open(directory);
  t.deepEqual(first.past, []);
  const { made } = eventsOf(5);
  await first.file.append(made.slice(0, 2));
  await first.file.append(made.slice(2));
  const second = await EventFile.open(directory);
  t.deepEqual(second.past, made);
  t.is((await stat(join(directory, 'events.log'))).mode & 0o777, 0o600);
});

test('a tail that is torn at any byte is cut off, and what comes then is whole', async (t) => {
  const directory = join(await temporaryDirectory(t), 'events');
  const path = join(directory, 'events.log');
  const { file } = await EventFile.open(directory);
  const { made } = eventsOf(3);
  await file.append(made.slice(0, 1));
  const whole = (await stat(path)).size;
  await file.append(made.slice(1, 2));
  const bytes = await readFile(path);
  for (let size = whole; size < bytes.length; size += 1) {
    await writeFile(path, bytes.subarray(0, size));
    const torn = await EventFile.open(directory);
    t.deepEqual(torn.past, made.slice(0, 1), `${size} bytes`);
    await torn.file.append(made.slice(2));
    t.deepEqual((await EventFile.open(directory)).past, [made[0]!, made[2]!]);
  }
});

test('wrong bytes in the middle are left out, and the next event says how many are lost', async (t) => {
  const directory = join(await temporaryDirectory(t), 'events');
  const path = join(directory, 'events.log');
  const { file } = await EventFile.open(directory);
  const { made } = eventsOf(4);
  await file.append(made);
  const lines = (await readFile(path, 'utf8')).split('\n');
  lines[1] = lines[1]!.replace('task 1', 'task 9');
  lines[2] = '\0'.repeat(40);
  await writeFile(path, lines.join('\n'));
  t.deepEqual((await EventFile.open(directory)).past, [made[0], { ...made[3], lost: 2 }] as NodeEvent[]);
  await writeFile(path, Buffer.alloc(100_000, 0xff));
  const nothing = await EventFile.open(directory);
  t.deepEqual(nothing.past, []);
  await nothing.file.append(made.slice(0, 1));
  t.deepEqual((await EventFile.open(directory)).past, made.slice(0, 1));
});

test('two files take turns and stay as small as they shall', async (t) => {
  const directory = join(await temporaryDirectory(t), 'events');
  const { file } = await EventFile.open(directory, 1000);
  const { made } = eventsOf(50);
  for (const event of made) await file.append([event]);
  for (const name of ['events.log', 'events.former.log'])
    t.true((await stat(join(directory, name))).size <= 1000, name);
  const { past } = await EventFile.open(directory, 1000);
  t.deepEqual(past, made.slice(-past.length));
  t.true(past.length > 5, 'both files are read');
});

test('a link in the place of the file is not written through', async (t) => {
  const directory = join(await temporaryDirectory(t), 'events');
  const { file } = await EventFile.open(directory);
  const other = join(directory, 'other');
  await writeFile(other, 'untouched');
  await symlink(other, join(directory, 'events.log'));
  await t.throwsAsync(file.append(eventsOf(1).made), { code: 'ELOOP' });
  t.is(await readFile(other, 'utf8'), 'untouched');
});

test('what a full disk does not take is kept when there is room again, and what memory lost meanwhile is counted', async (t) => {
  const events = new EventLog({ clock: new FakeClock(), bootId: 'boot', max: 3 });
  const taken: NodeEvent[] = [];
  let isFull = true;
  const file = {
    append: async (all: readonly NodeEvent[]) => {
      if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      taken.push(...all);
    },
  };
  const keeper = new EventKeeper({ log, clock: new FakeClock(), events, file });
  const emit = (task: string): NodeEvent => events.emit({ type: 'task', task, action: 'start' });
  emit('a');
  t.false(await keeper.write());
  isFull = false;
  t.true(await keeper.write());
  isFull = true;
  for (const each of 'bcdef') emit(each);
  t.false(await keeper.write());
  isFull = false;
  t.true(await keeper.write());
  t.deepEqual(
    taken.map(({ data, lost = 0 }) => [data.type === 'task' ? data.task : '', lost]),
    [
      ['a', 0],
      ['d', 2],
      ['e', 0],
      ['f', 0],
    ],
  );
});

test('a file that took a part of a batch has none of it', async (t) => {
  const directory = join(await temporaryDirectory(t), 'events');
  const path = join(directory, 'events.log');
  const { file } = await EventFile.open(directory);
  const { made } = eventsOf(3);
  await file.append(made.slice(0, 1));
  const { size } = await stat(path);
  // As a power cut in the middle of the next batch leaves it.
  await file.append(made.slice(1));
  await truncate(path, size + 20);
  const { file: next, past } = await EventFile.open(directory);
  t.deepEqual(past, made.slice(0, 1));
  await next.append(made.slice(1));
  t.deepEqual((await EventFile.open(directory)).past, made);
});
