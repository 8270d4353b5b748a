import { connect } from '@nodecore/api';
import { ResetMode, ResetStep, WipeMethod, type WipeResponse, WipeState } from '@nodecore/api/storage';
import * as pki from '@nodecore/pki';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { startNodeServer } from '../../../contract/api/test/node-server.ts';
import { ResetError } from '../src/resets/errors.ts';
import type { Resets } from '../src/resets/resets.ts';
import { proofHandler } from '../src/proofs/proof-service.ts';
import { resetHandler } from '../src/resets/reset-service.ts';
import { wipeHandlers } from '../src/wipes/wipe-service.ts';
import { WipeError } from '../src/wipes/errors.ts';
import type { Wipes } from '../src/wipes/wipes.ts';
import { callerWith } from './callers.ts';

const ca = await pki.createCA('test');
const identity = await pki.issueServer(ca, { names: ['127.0.0.1'] });
const admin = await pki.issueClient(ca, { roles: ['os:admin'] });

const callerOf = () => callerWith('os:admin');
const stopping = new AbortController().signal;

async function setUp(t: ExecutionContext, request: Wipes['request'], reset: Resets['request'] = nobody) {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const options = { log: pino({ level: 'trace' }, { write }), callerOf, stopping };
  const wipes = {
    request,
    requestVolumes: (_order: unknown, signal: AbortSignal) =>
      request({ devices: [], method: 'fast', dropPartition: false, dryRun: false }, signal),
  };
  const storage = {
    proveEmpty: proofHandler({ prove: nobody }, options),
    reset: resetHandler({ request: reset }, options),
    ...wipeHandlers(wipes, options),
  };
  const { endpoint } = await startNodeServer(t, { identity, ca: ca.crt, storage });
  const client = connect({ endpoint, ca: ca.crt, crt: admin.crt, key: admin.key });
  t.teardown(() => client.close());
  return { client, audit: () => lines.filter((line) => line['audit'] === true) };
}

function nobody(): never {
  throw new Error('nobody asks for this here');
}

async function all(events: AsyncIterable<WipeResponse>): Promise<WipeResponse[]> {
  const list: WipeResponse[] = [];
  for await (const event of events) list.push(event);
  return list;
}

const facts = { device: 'sda', identity: 'a disk', content: 'xfs', sizeBytes: 1n << 60n, takers: ['u-a'] };

test('what becomes of each device is told, and who asked for it is in the log before and after', async (t) => {
  const seen: unknown[] = [];
  const { client, audit } = await setUp(t, async function* (order) {
    seen.push(order);
    yield { ...facts, state: 'running', doneBytes: 1n << 59n };
    yield { ...facts, state: 'failed', doneBytes: 1n << 59n, code: 'ERR_BLOCK_FAILED', message: 'EIO' };
  });
  const events = await all(
    client.wipe({ devices: ['sda'], identities: ['a disk'], method: WipeMethod.ZEROES, dropPartition: true }),
  );
  t.deepEqual(seen, [
    { devices: ['sda'], identities: ['a disk'], method: 'zeroes', dropPartition: true, dryRun: false },
  ]);
  t.like(events[0], { state: WipeState.RUNNING, doneBytes: 1n << 59n, content: 'xfs', takers: ['u-a'] });
  t.is(events[0]?.identity, 'a disk');
  t.like(events[1], { state: WipeState.FAILED, code: 'ERR_BLOCK_FAILED', message: 'EIO' });
  const [begun, ended] = audit();
  t.like(begun, {
    action: 'wipe',
    devices: ['sda'],
    method: 'zeroes',
    roles: ['os:admin'],
    outcome: 'begun',
  });
  t.like(ended, { action: 'wipe', results: '{"sda":"ERR_BLOCK_FAILED"}' });
});

test('a refusal has its own status and its own line', async (t) => {
  const { client, audit } = await setUp(t, async function* () {
    yield* [];
    throw new WipeError('ERR_WIPE_REFUSED', 'sda is used by volume u-a');
  });
  await t.throwsAsync(all(client.wipe({ devices: ['sda'] })), {
    code: 'ERR_API_CONFLICT',
    message: /sda is used by volume u-a/,
  });
  t.deepEqual(
    audit().map(({ outcome }) => outcome),
    ['begun', 'failed'],
  );
});

test('a method that a newer client knows is refused, not taken for the quick one', async (t) => {
  const { client } = await setUp(t, () => t.fail());
  await t.throwsAsync(all(client.wipe({ devices: ['sda'], method: 7 as never })), {
    code: 'ERR_API_INVALID',
  });
});

test('a reset is told step by step, and who asked for what is in the log; a refusal has its code', async (t) => {
  const seen: unknown[] = [];
  const { client, audit } = await setUp(t, nobody, async function* (order) {
    seen.push(order);
    if (order.mode === 'user-disks') throw new ResetError('ERR_RESET_HOST', 'not on a host');
    yield { step: 'closing' };
    yield { step: 'wiping', name: 'STATE', sizeBytes: 1n << 60n, doneBytes: 1n };
    yield { step: 'done' };
  });
  const steps: unknown[] = [];
  const request = { mode: ResetMode.SYSTEM_DISK, systemLabels: ['STATE'], reboot: true, digest: 'd' };
  for await (const { step, name, sizeBytes } of client.reset(request)) steps.push([step, name, sizeBytes]);
  t.deepEqual(steps, [
    [ResetStep.CLOSING, '', 0n],
    [ResetStep.WIPING, 'STATE', 1n << 60n],
    [ResetStep.DONE, '', 0n],
  ]);
  const names = { mode: 'system-disk', labels: ['STATE'], userDisks: [] };
  t.deepEqual(seen, [{ ...names, graceful: false, reboot: true, dryRun: false, digest: 'd' }]);
  t.like(audit()[0], { action: 'reset', ...names, reboot: true, outcome: 'begun', roles: ['os:admin'] });
  t.like(audit()[1], { action: 'reset', outcome: 'done' });
  await t.throwsAsync(
    async () => {
      for await (const _ of client.reset({ mode: ResetMode.USER_DISKS })) t.fail();
    },
    { code: 'ERR_API_CONFLICT' },
  );
  t.like(audit()[3], { outcome: 'failed', code: 'ERR_RESET_HOST' });
});

test('a reset that fails in the middle is no success in the log', async (t) => {
  const { client, audit } = await setUp(t, nobody, async function* () {
    yield { step: 'failed', code: 'ERR_BLOCK_BUSY', message: '/var is in use' };
  });
  for await (const { step, message } of client.reset({}))
    t.deepEqual([step, message], [ResetStep.FAILED, '/var is in use']);
  t.like(audit()[1], { outcome: 'failed', code: 'ERR_BLOCK_BUSY' });
});
