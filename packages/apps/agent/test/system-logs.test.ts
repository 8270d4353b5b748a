import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Client } from '@nodecore/api';
import type { LogsRequestInit } from '@nodecore/api/service';
import type { KernelRecord } from '@nodecore/host';
import { Supervisor } from '@nodecore/supervisor';
import { temporaryDirectory } from '@nodecore/testkit';
import { Signal } from '@nodecore/waiting';
import test, { type ExecutionContext } from 'ava';

import { kernelRecords, type RecordBatch } from '../src/kernel-log/kernel-records.ts';
import { LogRing } from '../src/link/log-ring.ts';
import { systemLogSources } from '../src/system-logs/sources.ts';
import { readSystemLog } from '../src/system-logs/system-log.ts';
import { apiNode } from './api-node.ts';

const said = (sequence: number, message: string, facility = 'kern'): KernelRecord => ({
  sequence,
  clockMicros: sequence * 1e6,
  facility,
  priority: 'info',
  message,
});
const time = (sequence: number): string => new Date(sequence * 1000).toISOString();

const spoken: readonly KernelRecord[] = [
  said(3, 'Command line: a.token=hunter2'),
  said(4, 'nodecore: listening port=50000', 'user'),
  said(5, 'init: begins the agent', 'user'),
  said(7, 'nodecore: controller failed controller=dns', 'user'),
  said(8, 'nodecore: by nobody', 'kern'),
];

/** A kernel that has said this, and whose records come three at once. */
async function node(t: ExecutionContext, records: KernelRecord[] = [...spoken]) {
  const more = new Signal();
  const kernel = async function* ({ follow, signal }: { follow: boolean; signal: AbortSignal }) {
    let at = 0;
    for (;;) {
      const next = more.next(signal).catch(() => {});
      const batch: RecordBatch = {
        records: records.slice(at, at + 3),
        lost: 0,
        isAll: at + 3 >= records.length,
      };
      at += batch.records.length;
      yield batch;
      if (!batch.isAll) continue;
      if (!follow || signal.aborted) return;
      await next;
    }
  };
  const supervisor = await Supervisor.open({ directory: await temporaryDirectory(t), tethered: true });
  t.teardown(() => supervisor[Symbol.asyncDispose]());
  supervisor.claim('etcd');
  const systemLogs = systemLogSources({ isOwnMachine: true, records: kernel, bootMs: () => 0 });
  const { insecure } = await apiNode(t, { services: () => Promise.resolve(supervisor), systemLogs });
  const say = (record: KernelRecord): void => {
    records.push(record);
    more.notify();
  };
  return { client: insecure(), say };
}

async function read(client: Client, request: LogsRequestInit) {
  const pieces = await Array.fromAsync(client.services.logs(request));
  const last = pieces.at(-1);
  const place = last && {
    fromOffset: last.offset + BigInt(last.data.length),
    fromBootId: last.bootId,
  };
  return { text: Buffer.concat(pieces.map(({ data }) => data)).toString(), place };
}

test('the kernel, the agent, its controllers and PID 1 have logs of their own, without what a command line must not show', async (t) => {
  const { client } = await node(t);
  const { text } = await read(client, { id: 'kernel' });
  t.regex(text, new RegExp(`^${time(3)} info Command line: a\\.token=`, 'u'));
  t.notRegex(text, /hunter2/u);
  t.true(text.endsWith(`${time(8)} info nodecore: by nobody\n`));
  t.is(
    (await read(client, { id: 'agent' })).text,
    `${time(4)} info listening port=50000\n${time(7)} info controller failed controller=dns\n`,
  );
  t.is(
    (await read(client, { id: 'controller-runtime' })).text,
    `${time(7)} info controller failed controller=dns\n`,
  );
  t.is((await read(client, { id: 'init' })).text, `${time(5)} info begins the agent\n`);
  t.deepEqual((await client.services.logsContainers()).ids, [
    'agent',
    'controller-runtime',
    'etcd',
    'init',
    'kernel',
  ]);
});

test('the last lines are the last of all batches, and none is none', async (t) => {
  const { client } = await node(t);
  t.is(
    (await read(client, { id: 'agent', tailLines: 1 })).text,
    `${time(7)} info controller failed controller=dns\n`,
  );
  const none = await read(client, { id: 'kernel', tailLines: 0 });
  t.is(none.text, '');
  t.truthy(none.place);
});

test('who comes back at the place where it was gets what came since, and each line once', async (t) => {
  const { client, say } = await node(t);
  const { place } = await read(client, { id: 'agent', tailLines: 0 });
  t.is((await read(client, { id: 'agent', ...place })).text, '');
  say(said(9, 'init: not of the agent', 'user'));
  say(said(10, `nodecore: ${'x'.repeat(9000)}`, 'user'));
  say(said(11, 'nodecore: two\nlines', 'user'));
  const { text, place: after } = await read(client, { id: 'agent', ...place });
  t.is(text.split('\n').length, 3);
  t.true(text.endsWith(`${time(11)} info two | lines\n`));
  t.is((await read(client, { id: 'agent', ...after })).text, '');
  // Of another boot: numbers begin anew, and all is new.
  const other = await read(client, { id: 'agent', ...after, fromBootId: 'before' });
  t.is(other.text.split('\n').length, 5);
});

test('a log of the system is followed, until its reader has enough', async (t) => {
  const { client, say } = await node(t);
  let text = '';
  for await (const { data } of client.services.logs({ id: 'init', follow: true })) {
    text += Buffer.from(data).toString();
    if (text.endsWith('agent\n')) say(said(12, 'init: the agent has ended', 'user'));
    if (text.endsWith('has ended\n')) break;
  }
  t.is(text, `${time(5)} info begins the agent\n${time(12)} info the agent has ended\n`);
});

test('records that the kernel has overwritten are counted, and the place behind them stays right', async (t) => {
  const batches: readonly RecordBatch[] = [
    { records: [said(1, 'one')], lost: 0, isAll: true },
    { records: [said(9, 'nine')], lost: 7, isAll: true },
  ];
  const records = async function* () {
    yield* batches;
  };
  const source = systemLogSources({ isOwnMachine: true, records, bootMs: () => 0 });
  const supervisor = await Supervisor.open({ directory: await temporaryDirectory(t), tethered: true });
  t.teardown(() => supervisor[Symbol.asyncDispose]());
  const { insecure } = await apiNode(t, {
    services: () => Promise.resolve(supervisor),
    systemLogs: source,
  });
  const { text, place } = await read(insecure(), { id: 'kernel' });
  t.is(text, `${time(1)} info one\n(7 records are lost)\n${time(9)} info nine\n`);
  t.is(place?.fromOffset, 10n * 8192n);
});

/** What a log says to who comes back behind this record, and behind which record that one would come back next. */
async function resumed(source: Parameters<typeof readSystemLog>[0] | undefined, after: number) {
  const options = { follow: false, signal: AbortSignal.timeout(5_000), from: (after + 1) * 8192 };
  const pieces = await Array.fromAsync(readSystemLog(source!, options));
  const last = pieces.at(-1);
  const place = last && (last.offset + last.data.length) / 8192 - 1;
  return { text: Buffer.concat(pieces.map(({ data }) => data)).toString(), place };
}

test('who comes back is told how many records the kernel has overwritten since, and nothing when there are none', async (t) => {
  const path = join(await temporaryDirectory(t), 'kmsg');
  await writeFile(path, '6,900,900000000,-;m900\n');
  const records: typeof kernelRecords = (options) => kernelRecords({ ...options, path });
  const kernel = systemLogSources({ isOwnMachine: true, records, bootMs: () => 0 }).get('kernel');
  t.deepEqual(await resumed(kernel, 100), {
    text: `(799 records are lost)\n${time(900)} info m900\n`,
    place: 900,
  });
  t.deepEqual(await resumed(kernel, 899), { text: `${time(900)} info m900\n`, place: 900 });
  t.deepEqual(await resumed(kernel, 900), { text: '', place: undefined });
});

test('records of other logs move the place, and are not lost for who comes back behind them', async (t) => {
  const { client, say } = await node(t);
  const { place } = await read(client, { id: 'init' });
  t.is(place?.fromOffset, 9n * 8192n);
  say(said(9, 'of the kernel'));
  const { text, place: after } = await read(client, { id: 'init', ...place });
  t.deepEqual([text, after?.fromOffset], ['', 10n * 8192n]);
});

test('on a host lines that were dropped meanwhile are counted, and each is there once', async (t) => {
  const lines = new LogRing(100);
  const sources = systemLogSources({ isOwnMachine: false, lines });
  for (let each = 0; each < 1000; each += 1) lines.write(`{"controller":"m${each}"}`);
  for (const id of ['agent', 'controller-runtime']) {
    const source = sources.get(id);
    const { text, place } = await resumed(source, 100);
    t.true(text.startsWith('(799 records are lost)\n{"controller":"m900"}\n'), text.slice(0, 100));
    t.deepEqual([text.split('\n').length, place], [102, 999]);
    t.is((await resumed(source, 899)).text, text.slice(text.indexOf('{')));
    t.is((await resumed(source, 998)).text, '{"controller":"m999"}\n');
    t.deepEqual(await resumed(source, 999), { text: '', place: undefined });
    t.is((await resumed(source, 2000)).text, '');
  }
});

test('numbers between two agents of a host are of no line, and none of them is lost', async (t) => {
  const lines = new LogRing(2, 500);
  const source = systemLogSources({ isOwnMachine: false, lines }).get('agent');
  for (const line of ['one', 'two']) lines.write(line);
  t.is((await resumed(source, 100)).text, 'one\ntwo\n');
  lines.write('three');
  t.is((await resumed(source, 100)).text, '(1 records are lost)\ntwo\nthree\n');
  const started = lines.batches({ follow: false, signal: AbortSignal.timeout(5_000), after: 900 });
  t.deepEqual((await started.next()).value, {
    lines: [
      { number: 501, text: 'two' },
      { number: 502, text: 'three' },
    ],
    lost: 0,
    isAll: true,
  });
});

test('on a host the log of the agent is what it has in memory, and what was dropped is counted', async (t) => {
  const lines = new LogRing(2);
  const sources = systemLogSources({ isOwnMachine: false, lines });
  t.deepEqual([...sources.keys()].toSorted(), ['agent', 'controller-runtime', 'kernel']);
  for (const line of ['one', 'two', '{"controller":"dns"}']) lines.write(`${line}\n`);
  const signal = new AbortController();
  const seen: string[] = [];
  for await (const batch of sources.get('agent')!({ follow: true, signal: signal.signal })) {
    seen.push(...batch.lines.map(({ number, text }) => `${number} ${text}`), `lost ${batch.lost}`);
    if (seen.length < 4) for (const line of ['four', 'five', 'six']) lines.write(line);
    else signal.abort();
  }
  t.deepEqual(seen, ['1 two', '2 {"controller":"dns"}', 'lost 0', '4 five', '5 six', 'lost 1']);
  const [batch] = await Array.fromAsync(
    sources.get('controller-runtime')!({ follow: false, signal: AbortSignal.timeout(1000) }),
  );
  t.deepEqual(batch?.lines, []);
});
