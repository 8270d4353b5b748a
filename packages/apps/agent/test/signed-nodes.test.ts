import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { calledBy, SignedNodes } from '../src/signing/signed-nodes.ts';

const log = pino({ level: 'silent' });

async function names(nodes: SignedNodes): Promise<readonly string[]> {
  return (await nodes.list()).map(calledBy);
}

async function scene(t: ExecutionContext) {
  const file = join(await temporaryDirectory(t), 'signed-nodes.json');
  const clock = new FakeClock(1_000_000);
  const begin = (locate = async (): Promise<string> => file): SignedNodes =>
    new SignedNodes({ locate, clock, log });
  return { file, clock, begin };
}

const until = (untilMs: number) => ({ address: '10.0.0.7', untilMs });

test('nodes are known until their certificates end, also to the next agent', async (t) => {
  const { clock, begin } = await scene(t);
  const first = begin();
  await Promise.all([
    first.add(['10.0.0.7', 'w1', 'localhost', '127.0.0.1'], until(2_000_000)),
    first.add(['w2'], until(3_000_000)),
  ]);
  const next = begin();
  t.deepEqual(await names(next), ['w1', 'w2']);
  t.deepEqual((await next.list())[0]?.names, ['10.0.0.7', 'w1'], 'everybody has loopback');
  clock.advance(1_000_000);
  t.deepEqual(await names(next), ['w2']);
});

test('a node that asks again is one node, also with a name less', async (t) => {
  const { begin } = await scene(t);
  const nodes = begin();
  await nodes.add(['w1', '10.0.0.7'], until(2_000_000));
  await nodes.add(['w1', '10.0.0.8'], until(3_000_000));
  t.deepEqual(await nodes.list(), [{ names: ['w1', '10.0.0.8'], ...until(3_000_000) }]);
});

test('a file that is none is replaced, and a disk that takes nothing keeps nobody from a certificate', async (t) => {
  const { file, begin } = await scene(t);
  for (const text of ['{', '{}', '{"nodes":[{"names":"w1"}]}', '']) {
    await writeFile(file, text);
    const nodes = begin();
    t.deepEqual(await names(nodes), [], text);
    await nodes.add(['w1'], until(2_000_000));
    t.true((await readFile(file, 'utf8')).includes('w1'));
  }
  const without = begin(() =>
    Promise.reject(Object.assign(new Error('not yet'), { code: 'ERR_STATE_NOT_READY' })),
  );
  t.deepEqual(await names(without), []);
  await without.add(['w2'], until(2_000_000));
  t.deepEqual(await names(without), ['w2']);
});
