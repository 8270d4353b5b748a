import { failure } from '@nodecore/api';
import type { DmesgRequest, DmesgResponseInit } from '@nodecore/api/kernel-log';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode, status } from './fake-node.ts';

const record = (sequence: bigint, message: string, priority = 'info') => ({
  sequence,
  clockMicros: sequence,
  timeMicros: 1_764_000_000_000_000n + sequence,
  facility: 'kern',
  priority,
  message,
});

/** A node that gives each call the next of these answers; all but the last call end as a lost connection does. */
async function kernelNode(t: ExecutionContext, calls: readonly (readonly DmesgResponseInit[])[]) {
  const asked: DmesgRequest[] = [];
  const left = [...calls];
  const node = await startFakeNode(t, {
    kernelLog: {
      dmesg: (call) => {
        asked.push(call.request);
        for (const answer of left.shift() ?? []) call.write(answer);
        if (left.length === 0) call.end();
        else call.emit('error', failure(status.UNAVAILABLE, 'going down'));
      },
    },
  });
  return { ...node, asked, env: await clientConfig(t, { endpoints: [node.endpoint] }) };
}

test('each record is a line with its node, and moves no cursor; what was overwritten is told', async (t) => {
  const records = [record(5n, 'hot \u001b[31m', 'crit'), record(1_000_006n, 'two\nlines', 'warning')];
  const { env, endpoint } = await kernelNode(t, [[{ records, bootId: 'b', lost: 2n, lastSequence: 6n }]]);
  const { code, out, error } = await osctl(['dmesg'], { env });
  t.is(code, 0, error);
  t.is(
    out,
    `${endpoint}: (2 lines were overwritten)\n` +
      `${endpoint}: kern:    crit: [2025-11-24T16:00:00.000005Z]: hot ?[31m\n` +
      `${endpoint}: kern: warning: [2025-11-24T16:00:01.000006Z]: two?lines\n`,
  );
});

test('programs get one list, or one object a line while it goes on', async (t) => {
  const answers = [{ records: [record(5n, 'a')], bootId: 'b', lastSequence: 5n }];
  for (const [words, isList] of [
    [['dmesg', '--since', '90s', '--level', 'info,err', '-o', 'json'], true],
    [['dmesg', '-f', '-o', 'json'], false],
  ] as const) {
    const { env, endpoint, asked } = await kernelNode(t, [answers]);
    const { code, out, error } = await osctl(words, { env });
    t.is(code, 0, error);
    const parsed = JSON.parse(out);
    const [object] = isList ? parsed : [parsed];
    t.deepEqual(object, {
      node: endpoint,
      time: '2025-11-24T16:00:00.000005Z',
      sequence: 5,
      clockMicros: 5,
      facility: 'kern',
      priority: 'info',
      message: 'a',
    });
    t.like(
      asked[0],
      isList ? { sinceSeconds: 90, priorities: ['info', 'err'], follow: false } : { follow: true },
    );
  }
});

test('after a lost connection it goes on behind what was looked at, and says so', async (t) => {
  const node = await kernelNode(t, [
    [{ bootId: 'b', lastSequence: 7n }],
    [{ records: [record(8n, 'a')], bootId: 'b', lastSequence: 8n }],
    [{ records: [record(1n, 'c')], bootId: 'next', lastSequence: 1n }],
  ]);
  const { code, out, error } = await osctl(['dmesg', '-f', '--tail', '-o', 'jsonpath={.message}'], {
    env: node.env,
  });
  t.is(code, 0, error);
  t.deepEqual(out.match(/[ac]/gu), ['a', 'c']);
  t.deepEqual(
    node.asked.map(({ bootId, afterSequence, tail }) => [bootId, afterSequence, tail]),
    [
      ['', undefined, true],
      ['b', 7n, true],
      ['b', 8n, true],
    ],
  );
  t.regex(error, /connecting again/u);
});

test('a past that nobody gets is not asked for', async (t) => {
  const env = await clientConfig(t, { endpoints: ['127.0.0.1:1'] });
  t.is((await osctl(['dmesg', '--tail'], { env })).code, 2);
  t.is((await osctl(['dmesg', '-f', '--tail', '--since', '1m'], { env })).code, 2);
});
