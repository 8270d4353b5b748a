import { execFileSync } from 'node:child_process';
import { readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import type { DatabaseFacts } from '@nodecore/sbom';
import { temporaryDirectory } from '@nodecore/testkit';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test, { type ExecutionContext } from 'ava';

import { made, now, osv, tracker } from '../../../../image/sbom/test/sample.ts';
import { FactoryMetrics } from '../../src/metrics/metrics.ts';
import { fetchList } from '../../src/reports/list-source.ts';
import { msUntil, readTimeOfDay } from '../../src/reports/time-of-day.ts';
import { Vulnerabilities } from '../../src/reports/vulnerabilities.ts';
import { writeList } from './reported-releases.ts';

const glibc = { type: 'deb', suite: 'bookworm', name: 'glibc' };
const hour = 3_600_000;

type Opened = {
  readonly vulnerabilities: Vulnerabilities;
  readonly clock: FakeClock;
  readonly warnings: readonly string[];
  readonly directory: string;
};

async function opened(t: ExecutionContext, url: string, directory?: string): Promise<Opened> {
  const place = directory ?? join(await temporaryDirectory(t), 'vulnerabilities');
  const clock = new FakeClock(now.getTime());
  const warnings: string[] = [];
  const options = { urls: [url], updateAtMs: 7 * hour };
  const vulnerabilities = await Vulnerabilities.open(place, options, {
    clock,
    warn: (line) => warnings.push(line),
  });
  t.teardown(() => vulnerabilities[Symbol.asyncDispose]());
  return { vulnerabilities, clock, warnings, directory: place };
}

/** Until it waits for the next time. */
async function asleep(clock: FakeClock): Promise<void> {
  while (clock.sleepers === 0) await turn();
}

/** A server of lists, which answers as it is told to. */
async function listServer(t: ExecutionContext): Promise<{
  readonly url: string;
  /** What the next one who asks gets. */
  readonly next: (answer: (response: ServerResponse) => void) => Promise<void>;
}> {
  const waiting: PromiseWithResolvers<ServerResponse>[] = [];
  const server = createServer((_request, response) => {
    const asked = waiting.shift();
    if (asked === undefined) response.destroy();
    else asked.resolve(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://user:secret@127.0.0.1:${port}/tracker.json`,
    next: async (answer) => {
      const asked = Promise.withResolvers<ServerResponse>();
      waiting.push(asked);
      answer(await asked.promise);
    },
  };
}

const said = (response: ServerResponse): ServerResponse =>
  response.setHeader('last-modified', made.toUTCString());
const whole = (response: ServerResponse): void => void said(response).end(JSON.stringify(tracker));

test('lists are read at once, again at the time of day, and after five minutes when that failed', async (t) => {
  const server = await listServer(t);
  const first = server.next((response) => void response.writeHead(500).end());
  const { vulnerabilities, clock, warnings } = await opened(t, server.url);
  await first;
  await asleep(clock);
  t.is(vulnerabilities.facts, undefined);
  await t.throwsAsync(
    vulnerabilities.use(async () => {}),
    { code: 'ERR_FACTORY_SCAN_DATA' },
  );
  t.regex(warnings.join(), /tracker\.json: the server answers 500; there are none, and nothing is scanned$/);
  t.notRegex(warnings.join(), /secret/);
  const second = server.next(whole);
  clock.advance(5 * 60_000);
  await second;
  await asleep(clock);
  t.deepEqual(vulnerabilities.facts?.built, made);
  // It is 12:05, so that 07:00 is in 18 hours and 55 minutes.
  clock.advance(18 * hour + 55 * 60_000 - 1);
  t.is(clock.sleepers, 1);
  const third = server.next(whole);
  clock.advance(1);
  await third;
  await asleep(clock);
  t.is(vulnerabilities.generation, 2);
});

test('lists that are cut off, of the future or ten times as long leave what there was, and its age is said', async (t) => {
  const path = join(await temporaryDirectory(t), 'tracker.json');
  await writeList(path, JSON.stringify(tracker));
  const { vulnerabilities, warnings, directory } = await opened(t, pathToFileURL(path).href);
  t.true(await vulnerabilities.refresh());
  const before = await vulnerabilities.use(async (database) => database.of(glibc));
  t.is(before.length, 3);
  const text = JSON.stringify(tracker);
  const wrong: readonly (readonly [why: RegExp, text: string, time?: Date])[] = [
    [/is no JSON, or not all of it/, text.slice(0, 200)],
    [/is of the future/, text, new Date(now.getTime() + 48 * hour)],
    [/characters, and had/, `${' '.repeat(20 * text.length)}${text}`],
    [/no vulnerability/, '{}'],
    [/ENOENT/, ''],
  ];
  for (const [why, content, time] of wrong) {
    await writeList(path, content, time);
    if (content === '') await rm(path);
    t.false(await vulnerabilities.refresh());
    t.regex(warnings.at(-1) ?? '', why);
    t.regex(warnings.at(-1) ?? '', /; those of 2026-11-20T07:00:00.000Z stay, 3 days old$/);
    t.deepEqual(await vulnerabilities.use(async (database) => database.of(glibc)), before);
    t.deepEqual(
      (await readdir(directory)).filter((name) => name.includes('.part')),
      [],
    );
  }
  t.is(vulnerabilities.generation, 1);
});

test('an answer that is cut off is no list', async (t) => {
  const server = await listServer(t);
  const next = server.next((response) => {
    said(response).writeHead(200, { 'content-length': '5000' });
    response.write('[]', () => response.destroy());
  });
  const { vulnerabilities, clock, warnings } = await opened(t, server.url);
  await next;
  await asleep(clock);
  t.is(vulnerabilities.facts, undefined);
  t.is(warnings.length, 1);
});

test('who works with a database goes on with it while another one comes in its place', async (t) => {
  const path = join(await temporaryDirectory(t), 'list.json');
  await writeList(path, JSON.stringify(tracker));
  const { vulnerabilities } = await opened(t, pathToFileURL(path).href);
  await vulnerabilities.refresh();
  await vulnerabilities.use(async (database) => {
    await writeList(path, JSON.stringify(osv));
    t.true(await vulnerabilities.refresh());
    t.is(database.of(glibc).length, 3);
    await vulnerabilities.use(async (newer) => t.deepEqual(newer.of(glibc), []));
  });
  t.is(vulnerabilities.generation, 2);
});

test('an archive of records, as OSV keeps them, is as good as a list of them', async (t) => {
  const directory = await temporaryDirectory(t);
  for (const record of osv) await writeFile(join(directory, `${record.id}.json`), JSON.stringify(record));
  const names = osv.map(({ id }) => `${id}.json`);
  execFileSync('zip', ['-q', 'all.zip', ...names], { cwd: directory });
  const path = join(directory, 'all.zip');
  await utimes(path, made, made);
  const { vulnerabilities, warnings } = await opened(t, pathToFileURL(path).href);
  t.true(await vulnerabilities.refresh(), warnings.join());
  t.is(vulnerabilities.facts?.advisories, 1);
  await truncate(path, (await stat(path)).size - 30);
  t.false(await vulnerabilities.refresh());
  t.regex(warnings.join(), /all\.zip: is no zip archive, or not all of one; those of/);
});

test('the next run begins with what the last one had, and makes a damaged one anew', async (t) => {
  const list = join(await temporaryDirectory(t), 'tracker.json');
  await writeList(list, JSON.stringify(tracker));
  const url = pathToFileURL(list).href;
  const { vulnerabilities, directory } = await opened(t, url);
  await vulnerabilities.refresh();
  await vulnerabilities[Symbol.asyncDispose]();
  await rm(list);
  const later = await opened(t, url, directory);
  t.deepEqual(later.vulnerabilities.facts?.built, made);
  await later.vulnerabilities[Symbol.asyncDispose]();
  await writeFile(join(directory, 'advisories.db'), 'x'.repeat(4096));
  await writeList(list, JSON.stringify(tracker));
  const last = await opened(t, url, directory);
  t.is(last.vulnerabilities.facts, undefined);
  t.true(await last.vulnerabilities.refresh());
  t.deepEqual(last.vulnerabilities.facts?.built, made);
});

test('metrics say when the oldest list was made, and nothing while there is none', async (t) => {
  const metrics = new FactoryMetrics();
  const known: { facts: DatabaseFacts | undefined } = { facts: undefined };
  metrics.watchVulnerabilities(known);
  t.notRegex(await metrics.registry.metrics(), /^image_factory_scanner_db_built_timestamp_seconds /m);
  known.facts = { built: made, advisories: 7, listBytes: 1 };
  const text = await metrics.registry.metrics();
  t.regex(
    text,
    new RegExp(`^image_factory_scanner_db_built_timestamp_seconds ${made.getTime() / 1000}$`, 'm'),
  );
  t.regex(text, /^image_factory_scanner_db_advisories 7$/m);
});

test('a pipe and a directory are no lists', async (t) => {
  const directory = await temporaryDirectory(t);
  execFileSync('mkfifo', [join(directory, 'pipe')]);
  const { signal } = new AbortController();
  for (const path of [join(directory, 'pipe'), directory])
    await t.throwsAsync(fetchList(pathToFileURL(path).href, { signal, now }), {
      code: 'ERR_FACTORY_SCAN_DATA',
      message: /: is no file$/,
    });
});

test('more bytes than a list may have are not kept', async (t) => {
  const path = join(await temporaryDirectory(t), 'list.json');
  await writeList(path, 'x'.repeat(100_001));
  const { signal } = new AbortController();
  const asked = fetchList(pathToFileURL(path).href, { signal, now, maxBytes: 100_000 });
  await t.throwsAsync(asked, {
    code: 'ERR_FACTORY_SCAN_DATA',
    message: /list\.json: has more than 100000 bytes/,
  });
});

test('a time of day is the next one, never now', (t) => {
  t.is(readTimeOfDay('07:30'), 7.5 * hour);
  for (const text of ['7:30', '24:00', '07:60', '', '07:00Z']) t.is(readTimeOfDay(text), undefined, text);
  t.is(msUntil(7 * hour, now.getTime()), 19 * hour);
  t.is(msUntil(12 * hour, now.getTime()), 24 * hour);
  t.is(msUntil(13 * hour, now.getTime()), hour);
});
