import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { DmesgRequestInit, KernelLogRecord } from '@nodecore/api/kernel-log';
import { ApplyMode } from '@nodecore/api/machine';
import type { KernelRecord } from '@nodecore/host';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { kernelRecords, type RecordBatch } from '../src/kernel-log/kernel-records.ts';
import { redactedMessage } from '../src/kernel-log/redact.ts';
import { apiNode, ca } from './api-node.ts';
import { rootDocument } from './documents.ts';

const record = (sequence: number, message = `line ${sequence}`, priority = 'info'): KernelRecord => ({
  sequence,
  clockMicros: sequence * 1e6,
  facility: 'kern',
  priority,
  message,
});

/** A node whose kernel has said this by its 100th second. */
async function node(t: ExecutionContext, batches: readonly Partial<RecordBatch>[]) {
  const follows: boolean[] = [];
  const api = await apiNode(t, {
    dmesg: {
      clockMicros: () => 100e6,
      now: () => 1_764_000_100_000,
      records: async function* ({ follow }) {
        follows.push(follow);
        for (const batch of batches) yield { records: [], lost: 0, isAll: true, ...batch };
      },
    },
  });
  const ask = async (request: DmesgRequestInit = {}) => {
    const found: KernelLogRecord[] = [];
    let place: { readonly bootId: string; readonly afterSequence?: bigint | undefined } = { bootId: '' };
    let lost = 0n;
    for await (const answer of api.insecure().dmesg(request)) {
      found.push(...answer.records);
      lost += answer.lost;
      place = { bootId: answer.bootId, afterSequence: answer.lastSequence };
    }
    return { found, lost, place, messages: found.map(({ message }) => message) };
  };
  return { ...api, ask, follows };
}

test('records have the time of the node and what each of them is', async (t) => {
  const { ask } = await node(t, [
    { records: [record(7, 'Command line: a.token=hunter2'), record(9, 'hot', 'crit')], lost: 1 },
  ]);
  const { found, lost, place } = await ask();
  t.deepEqual(found[1], {
    sequence: 9n,
    clockMicros: 9_000_000n,
    timeMicros: 1_764_000_009_000_000n,
    facility: 'kern',
    priority: 'crit',
    message: 'hot',
  });
  t.is(found[0]?.message, 'Command line: a.token=<redacted>');
  t.is(lost, 1n);
  t.deepEqual(place, { bootId: 'boot', afterSequence: 9n });
});

test('what was said lately, what comes, and what is grave enough', async (t) => {
  const { ask, insecure } = await node(t, [
    { records: [record(10), record(80, 'bad', 'err')], isAll: false },
    { records: [record(95)] },
    { records: [record(101)] },
  ]);
  t.deepEqual((await ask()).messages, ['line 10', 'bad', 'line 95', 'line 101']);
  t.deepEqual((await ask({ sinceSeconds: 30 })).messages, ['bad', 'line 95', 'line 101']);
  t.deepEqual((await ask({ tail: true, follow: true })).messages, ['line 101']);
  t.deepEqual((await ask({ priorities: ['err', 'crit'] })).messages, ['bad']);
  const answers = insecure().dmesg({ priorities: ['loud'] });
  const wrong = answers[Symbol.asyncIterator]();
  await t.throwsAsync(wrong.next(), { code: 'ERR_API_INVALID', message: /"loud" is none of emerg/u });
});

test('who comes back gets what is behind the last record that was looked at; of another boot, everything', async (t) => {
  const { ask } = await node(t, [{ records: [record(10), record(20, 'bad', 'err')] }]);
  const only = { tail: true, follow: true };
  const { place, messages } = await ask(only);
  t.deepEqual([messages, place], [[], { bootId: 'boot', afterSequence: 20n }], 'what was left out is told');
  t.deepEqual((await ask({ ...only, ...place })).messages, []);
  t.deepEqual((await ask({ ...only, bootId: 'boot', afterSequence: 10n })).messages, ['bad']);
  t.deepEqual((await ask({ ...only, bootId: 'other', afterSequence: 90n })).messages, ['line 10', 'bad']);
});

test('readers read it, and who has no certificate before the first configuration', async (t) => {
  const { insecure, as, ask } = await node(t, [{ records: [record(1)] }]);
  t.is((await ask()).found.length, 1);
  await insecure().applyConfiguration({ data: Buffer.from(rootDocument(ca)), mode: ApplyMode.AUTO });
  const first = async (roles: readonly string[]): Promise<unknown> =>
    (await as(roles)).dmesg({})[Symbol.asyncIterator]().next();
  await t.notThrowsAsync(first(['os:reader']));
  await t.throwsAsync(first(['os:capture']), { code: 'ERR_API_DENIED' });
});

test('secrets of the command line and of URLs are left out', (t) => {
  const line =
    'Kernel command line: quiet os.link=https://f/?jointoken=hunter2 os.config.inline=aHVudGVyMg== ro';
  t.is(
    redactedMessage(line),
    'Kernel command line: quiet os.link=https://f/?<redacted> os.config.inline=<redacted> ro',
  );
  t.is(redactedMessage('Command line: a.token=hunter2 b'), 'Command line: a.token=<redacted> b');
  t.is(
    redactedMessage('nodecore: link  fleet="https://me:hunter2@f/x?k=hunter2" ok'),
    'nodecore: link  fleet="https://<redacted>@f/x?<redacted>" ok',
  );
  t.is(redactedMessage('eth0: link is up,  1 Gbit/s'), 'eth0: link is up,  1 Gbit/s');
});

test('a file of records is read to its end, and what is missing is counted', async (t) => {
  const path = join(await temporaryDirectory(t), 'kmsg');
  await writeFile(path, '6,3,1000,-;one\n');
  const found: RecordBatch[] = [];
  for await (const batch of kernelRecords({ signal: new AbortController().signal, follow: false, path }))
    found.push(batch);
  t.deepEqual(found, [
    {
      records: [{ sequence: 3, clockMicros: 1000, facility: 'kern', priority: 'info', message: 'one' }],
      lost: 0,
      isAll: true,
    },
  ]);
});

test('who goes on behind a record is told how many are gone since, and nothing when none is', async (t) => {
  const path = join(await temporaryDirectory(t), 'kmsg');
  await writeFile(path, '6,30,1000,-;thirty\n');
  const lostAfter = async (after: number | undefined): Promise<number> => {
    let sum = 0;
    const signal = new AbortController().signal;
    for await (const { lost } of kernelRecords({ signal, follow: false, path, after })) sum += lost;
    return sum;
  };
  t.deepEqual(await Promise.all([undefined, 20, 29, 30, 40].map(lostAfter)), [0, 9, 0, 0, 0]);
  const api = await apiNode(t, {
    dmesg: { records: (options) => kernelRecords({ ...options, path }) },
  });
  const answers = async (request: DmesgRequestInit) =>
    (await Array.fromAsync(api.insecure().dmesg(request))).map(({ lost, records }) => [
      lost,
      records.map(({ message }) => message),
    ]);
  t.deepEqual(await answers({ bootId: 'boot', afterSequence: 20n }), [[9n, ['thirty']]]);
  t.deepEqual(await answers({ bootId: 'former', afterSequence: 20n }), [[0n, ['thirty']]]);
});
