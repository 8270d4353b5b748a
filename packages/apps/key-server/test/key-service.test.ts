import { Secret } from '@nodecore/sys';
import test from 'ava';

import { KeyRing } from '../src/index.ts';
import { Audit } from '../src/server/audit.ts';
import { type Caller, type KeyRequest, KeyService } from '../src/server/key-service.ts';
import type { LineSink } from '../src/server/line-file.ts';
import { Metrics } from '../src/server/metrics.ts';
import { answers } from '../src/server/outcome.ts';
import { type Limits, RateLimit } from '../src/server/rate-limit.ts';

const node = '0d5b0b5e-3a3b-4c6e-9a55-6f1f0a7c2d11';
const other = '7e6f4a10-9a0c-4a53-8a67-0f8f7f6b1c22';
const generous: Limits = { node: { burst: 1e9, perSecond: 1 }, peer: { burst: 1e9, perSecond: 1 } };
const key = Secret.random(32);

type Setup = {
  readonly service: KeyService;
  readonly current: { ring: KeyRing; nodes: ReadonlySet<string> | undefined };
  readonly lines: Record<string, unknown>[];
  readonly defects: unknown[];
  readonly clock: { nowMs: number };
  readonly call: (
    operation: 'seal' | 'unseal',
    request: Partial<KeyRequest>,
    caller?: Partial<Caller>,
  ) => ReturnType<KeyService['handle']>;
};

function setup(
  options: {
    provenNodes?: boolean;
    limits?: Limits;
    nodes?: readonly string[];
    sink?: Partial<LineSink>;
  } = {},
): Setup {
  const { provenNodes = false, limits = generous, nodes, sink = {} } = options;
  const lines: Record<string, unknown>[] = [];
  const defects: unknown[] = [];
  const clock = { nowMs: 1_700_000_000_000 };
  const current = { ring: KeyRing.create(0), nodes: nodes === undefined ? undefined : new Set(nodes) };
  const now = { now: () => clock.nowMs };
  const audit = new Audit(
    {
      write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
      written: () => Promise.resolve(),
      reopen: () => Promise.resolve(),
      close: () => Promise.resolve(),
      ...sink,
    },
    now.now,
  );
  const service = new KeyService({
    current,
    provenNodes,
    limits: { node: new RateLimit(limits.node, now), peer: new RateLimit(limits.peer, now) },
    audit,
    metrics: new Metrics(),
    onDefect: (error) => defects.push(error),
  });
  return {
    service,
    current,
    lines,
    defects,
    clock,
    call: (operation, request, caller = {}) =>
      service.handle(operation, () => ({ address: '10.0.0.1', certificate: undefined, ...caller }), {
        nodeUuid: node,
        data: key.bytes,
        volume: '',
        ...request,
      }),
  };
}

async function sealed({ call }: Setup, request: Partial<KeyRequest> = {}): Promise<Buffer> {
  const { data } = await call('seal', request);
  return Buffer.from(data?.bytes ?? []);
}

test('what was sealed is given back', async (t) => {
  const parts = setup();
  const blob = await sealed(parts, { volume: 'u-data' });
  const { outcome, data } = await parts.call('unseal', { data: blob, volume: 'u-data' });
  t.is(outcome, 'ok');
  t.true(data?.equals(key));
});

test('a UUID is one however it is written', async (t) => {
  const parts = setup();
  const blob = await sealed(parts, { nodeUuid: node.toUpperCase() });
  t.is((await parts.call('unseal', { data: blob })).outcome, 'ok');
});

for (const [what, request] of Object.entries({
  'no UUID': { nodeUuid: '' },
  'a name for a UUID': { nodeUuid: 'node1' },
  'the UUID of zeros': { nodeUuid: '00000000-0000-0000-0000-000000000000' },
  'a UUID and more': { nodeUuid: `${node}0` },
  'no key': { data: Buffer.alloc(0) },
  'a key of 31 bytes': { data: Buffer.alloc(31) },
  'a key of 33 bytes': { data: Buffer.alloc(33) },
  'a volume without end': { volume: 'u'.repeat(129) },
  'a volume with a line end': { volume: 'u-a\n' },
  'a volume that is no UTF-8': { volume: 'u-\uFFFD' },
})) {
  test(`a seal with ${what} is invalid`, async (t) => {
    t.deepEqual(await setup().call('seal', request), { outcome: 'invalid' });
  });
}

test('an unseal of what we never sealed is invalid', async (t) => {
  const { call } = setup();
  for (const size of [0, 32, 60, 73, 74, 75, 4_000])
    t.deepEqual(await call('unseal', { data: Buffer.alloc(size) }), { outcome: 'invalid' });
});

test('another node does not get a key', async (t) => {
  const parts = setup();
  const blob = await sealed(parts);
  t.deepEqual(await parts.call('unseal', { data: blob, nodeUuid: other }), { outcome: 'not-authentic' });
});

test('a changed blob is not answered', async (t) => {
  const parts = setup();
  const blob = await sealed(parts);
  blob.writeUInt8(blob.readUInt8(30) ^ 1, 30);
  t.deepEqual(await parts.call('unseal', { data: blob }), { outcome: 'not-authentic' });
});

test('keys before and retired ones unseal, removed ones do not', async (t) => {
  const parts = setup();
  const blob = await sealed(parts);
  const { ring } = parts.current;
  const { id } = ring.active;
  ring.rotate(0);
  t.is((await parts.call('unseal', { data: blob })).outcome, 'ok');
  ring.retire(id);
  t.is((await parts.call('unseal', { data: blob })).outcome, 'ok');
  t.like(parts.lines.at(-1), { key: id, retired: true });
  ring.remove(id);
  t.deepEqual(await parts.call('unseal', { data: blob }), { outcome: 'unknown-key' });
  t.is((await parts.call('unseal', { data: await sealed(parts) })).outcome, 'ok');
});

test('a node that is not listed neither seals nor unseals', async (t) => {
  const parts = setup({ nodes: [other] });
  t.deepEqual(await parts.call('seal', {}), { outcome: 'not-listed' });
  parts.current.nodes = undefined;
  const blob = await sealed(parts);
  parts.current.nodes = new Set([other]);
  t.deepEqual(await parts.call('unseal', { data: blob }), { outcome: 'not-listed' });
  parts.current.nodes = new Set([node]);
  t.is((await parts.call('unseal', { data: blob })).outcome, 'ok');
});

test('a node that is not listed gets the words of one that asks for the key of another', (t) => {
  t.deepEqual(answers['not-listed'], answers['not-authentic']);
});

function certificate(...nodes: string[]): Partial<Caller> {
  return { certificate: { subject: 'CN=x', nodes: new Set(nodes) } };
}

test('where nodes are proven, a certificate must name the node', async (t) => {
  const { call } = setup({ provenNodes: true });
  t.deepEqual(await call('seal', {}), { outcome: 'no-identity' });
  t.deepEqual(await call('seal', {}, certificate()), { outcome: 'no-identity' });
  t.deepEqual(await call('seal', {}, certificate(other)), { outcome: 'other-identity' });
  t.is((await call('seal', {}, certificate(other, node))).outcome, 'ok');
});

test('a node has its turns, and another node has others', async (t) => {
  const { call, clock } = setup({ limits: { ...generous, node: { burst: 2, perSecond: 1 } } });
  const outcomes = [];
  for (const nodeUuid of [node, node, node, other]) outcomes.push((await call('seal', { nodeUuid })).outcome);
  t.deepEqual(outcomes, ['ok', 'ok', 'rate-limited', 'ok']);
  clock.nowMs += 1_000;
  t.is((await call('seal', {})).outcome, 'ok');
});

test('where nodes prove nothing, who claims to be one uses up its turns in its own network only', async (t) => {
  const { call } = setup({ limits: { ...generous, node: { burst: 2, perSecond: 1 } } });
  const from = async (address: string): Promise<string> => (await call('seal', {}, { address })).outcome;
  for (let index = 0; index < 75; index += 1) await from('2001:db8:0:1::bad');
  t.is(await from('2001:db8:0:1::1'), 'rate-limited');
  t.is(await from('2001:db8:0:2::1'), 'ok');
  t.is(await from('10.0.0.9'), 'ok');
});

test('a node that is proven has its turns wherever it calls from', async (t) => {
  const { call } = setup({ provenNodes: true, limits: { ...generous, node: { burst: 1, perSecond: 1 } } });
  t.is((await call('seal', {}, { ...certificate(node), address: '10.0.0.1' })).outcome, 'ok');
  t.is((await call('seal', {}, { ...certificate(node), address: '10.0.0.2' })).outcome, 'rate-limited');
});

test('an address has its turns for all nodes together', async (t) => {
  const { call } = setup({ limits: { ...generous, peer: { burst: 2, perSecond: 1 } } });
  const outcomes = [];
  for (const nodeUuid of [node, other, '11111111-2222-4333-8444-555555555555'])
    outcomes.push((await call('seal', { nodeUuid })).outcome);
  t.deepEqual(outcomes, ['ok', 'ok', 'rate-limited']);
  t.is((await call('seal', {}, { address: '10.0.0.2' })).outcome, 'ok');
});

test('requests that can not be one use up the turns of the address', async (t) => {
  const { call } = setup({ limits: { ...generous, peer: { burst: 2, perSecond: 1 } } });
  const outcomes = [];
  for (let index = 0; index < 3; index += 1) outcomes.push((await call('seal', { nodeUuid: '' })).outcome);
  t.deepEqual(outcomes, ['invalid', 'invalid', 'rate-limited']);
});

test('who can not prove to be a node does not use up its turns', async (t) => {
  const { call } = setup({ provenNodes: true, limits: { ...generous, node: { burst: 1, perSecond: 1 } } });
  for (let index = 0; index < 5; index += 1) await call('seal', {}, certificate(other));
  t.is((await call('seal', {}, certificate(node))).outcome, 'ok');
});

test('a flood leaves two lines in the audit log: that it began, and how much it was', async (t) => {
  const { call, clock, lines } = setup({ limits: { ...generous, node: { burst: 1, perSecond: 1 } } });
  for (let index = 0; index < 100; index += 1) await call('seal', {});
  clock.nowMs += 1_000;
  await call('seal', {});
  t.deepEqual(
    lines.map(({ outcome, refusedBefore }) => [outcome, refusedBefore]),
    [
      ['ok', undefined],
      ['rate-limited', undefined],
      ['ok', 99],
    ],
  );
});

test('the audit log says who asked for what, and what came of it', async (t) => {
  const parts = setup();
  const caller = { address: '10.0.0.9', certificate: { subject: 'CN=node', nodes: new Set([node]) } };
  await parts.call('seal', { volume: 'u-data' }, caller);
  const { id } = parts.current.ring.active;
  t.deepEqual(parts.lines, [
    {
      type: 'audit',
      time: '2023-11-14T22:13:20.000Z',
      operation: 'seal',
      outcome: 'ok',
      peer: '10.0.0.9',
      subject: 'CN=node',
      node,
      volume: 'u-data',
      key: id,
    },
  ]);
});

test('the audit log has neither keys nor blobs', async (t) => {
  const parts = setup();
  const blob = await sealed(parts);
  await parts.call('unseal', { data: blob });
  await parts.call('unseal', { data: blob, nodeUuid: other });
  const text = JSON.stringify(parts.lines);
  const secrets = [key.bytes, parts.current.ring.active.material.bytes, blob.subarray(14)];
  for (const secret of secrets)
    for (const encoding of ['hex', 'base64', 'latin1'] as const)
      t.false(text.includes(secret.subarray(0, 12).toString(encoding).slice(0, 12)));
});

test('what a stranger sends does not make a line long or two', async (t) => {
  const { call, lines } = setup();
  await call('seal', { nodeUuid: `x"}\n{${'y'.repeat(4_000)}`, volume: 'z'.repeat(4_000) });
  t.is(lines.length, 1);
  t.true(JSON.stringify(lines[0]).length < 500);
});

test('no key is given when that can not be recorded', async (t) => {
  const failing = new Error('no space left');
  const parts = setup({ sink: { written: () => Promise.reject(failing) } });
  t.deepEqual(await parts.call('seal', {}), { outcome: 'not-recorded' });
  t.deepEqual(parts.defects, [failing]);
});

test('no key is given before it is recorded', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const parts = setup({ sink: { written: () => promise } });
  let answered = false;
  const answer = parts.call('seal', {}).finally(() => {
    answered = true;
  });
  await new Promise((next) => setImmediate(next));
  t.false(answered);
  resolve();
  await answer;
  t.true(answered);
});

test('calls that wait for the audit log have a limit', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const parts = setup({ sink: { written: () => promise } });
  const calls = Array.from({ length: 600 }, () => parts.call('seal', {}));
  resolve();
  const outcomes = (await Promise.all(calls)).map(({ outcome }) => outcome);
  t.is(outcomes.filter((outcome) => outcome === 'ok').length, 512);
  t.is(outcomes.filter((outcome) => outcome === 'busy').length, 88);
  t.is((await parts.call('seal', {})).outcome, 'ok');
});

test('a defect is an answer like any other, and is told', async (t) => {
  const parts = setup();
  parts.current.ring[Symbol.dispose]();
  t.deepEqual(await parts.call('seal', {}), { outcome: 'failed' });
  t.is(parts.defects.length, 1);
});

test.serial('a refusal takes the same time whatever its reason', async (t) => {
  const parts = setup({ nodes: [node] });
  const blob = await sealed(parts);
  const unknown = Buffer.from(blob);
  unknown.writeUInt8(unknown.readUInt8(7) ^ 1, 7);
  const changed = Buffer.from(blob);
  changed.writeUInt8(changed.readUInt8(40) ^ 1, 40);
  const requests: Record<string, Partial<KeyRequest>> = {
    'not-authentic': { data: changed },
    'unknown-key': { data: unknown },
    'not-listed': { data: blob, nodeUuid: other },
  };
  const times = new Map<string, number[]>(Object.keys(requests).map((name) => [name, []]));
  for (let round = 0; round < 1_500; round += 1) {
    for (const [name, request] of Object.entries(requests)) {
      const started = performance.now();
      await parts.call('unseal', request);
      times.get(name)?.push(performance.now() - started);
    }
  }
  const medians = [...times.values()].map((list) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0);
  for (const [name, request] of Object.entries(requests))
    t.like(await parts.call('unseal', request), { outcome: name });
  // Leaving early would save nine tenths.
  t.true(Math.max(...medians) < 1.5 * Math.min(...medians), medians.join(', '));
});
