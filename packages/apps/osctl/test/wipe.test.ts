import { failure } from '@nodecore/api';
import {
  type StorageServiceHandlers,
  WipeMethod,
  type WipeRequest,
  type WipeResponseInit,
  WipeState,
} from '@nodecore/api/storage';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode, status } from './fake-node.ts';

const gb = 1_000_000_000n;
const planned: WipeResponseInit = {
  device: 'sda',
  identity: 'the one with xfs',
  state: WipeState.PLANNED,
  content: 'xfs',
  sizeBytes: 200n * gb,
  takers: ['u-data'],
};
const running = (percent: bigint): WipeResponseInit => ({
  ...planned,
  state: WipeState.RUNNING,
  doneBytes: percent * 2n * gb,
});
const done: WipeResponseInit = { ...planned, state: WipeState.DONE, doneBytes: 200n * gb };

async function node(t: ExecutionContext, events: readonly WipeResponseInit[]) {
  const seen: WipeRequest[] = [];
  const storage: Partial<StorageServiceHandlers> = {
    wipe: (call) => {
      seen.push(call.request);
      for (const event of call.request.dryRun ? [planned] : events) call.write(event);
      call.end();
    },
  };
  const { endpoint } = await startFakeNode(t, { storage });
  return { endpoint, seen, env: await clientConfig(t, { endpoints: [endpoint] }) };
}

test('what would be destroyed is shown, its name is asked for, and how far it is', async (t) => {
  const { endpoint, seen, env } = await node(t, [running(0n), running(50n), done]);
  const command = ['wipe', 'disk', 'sda', '--method', 'ZEROES'];
  const { code, error } = await osctl(command, { env, typed: 'sda\n' });
  t.is(code, 0, error);
  t.deepEqual(
    seen.map(({ devices, identities, method, dryRun }) => [devices, identities, method, dryRun]),
    [
      [['sda'], [], WipeMethod.ZEROES, true],
      [['sda'], ['the one with xfs'], WipeMethod.ZEROES, false], // what was shown, not what has the name now
    ],
  );
  const [plan, ...rest] = error.split('\n');
  t.is(
    plan,
    `${endpoint}: sda, 200 GB, holds xfs: will be wiped; when it is blank it may be taken by u-data`,
  );
  t.true(rest.includes(`${endpoint}: sda 50 % of 200 GB`));
  t.true(rest.includes(`${endpoint}: sda is wiped`));
});

test('another word than the name, and a dry run, wipe nothing', async (t) => {
  for (const options of [{ typed: 'yes\n' }, { typed: 'sdb\n' }]) {
    const { seen, env } = await node(t, [done]);
    t.is((await osctl(['wipe', 'disk', 'sda'], { env, ...options })).code, 0);
    t.deepEqual(
      seen.map(({ dryRun }) => dryRun),
      [true],
    );
  }
  const { seen, env } = await node(t, [done]);
  t.is((await osctl(['wipe', 'disk', 'sda', '--dry-run'], { env })).code, 0);
  t.is(seen.length, 1);
});

test('where nobody can be asked, --yes is needed', async (t) => {
  const { seen, env } = await node(t, [done]);
  const refused = await osctl(['wipe', 'disk', 'sda'], { env });
  t.not(refused.code, 0);
  t.regex(refused.error, /give --yes/);
  t.is((await osctl(['wipe', 'disk', 'sda', '--yes', '--drop-partition'], { env })).code, 0);
  t.like(seen.at(-1), { dryRun: false, dropPartition: true, method: WipeMethod.FAST });
});

test('a device that fails is named with its reason; one that is used is refused before anybody is asked', async (t) => {
  const failed = {
    ...running(1n),
    state: WipeState.FAILED,
    code: 'ERR_BLOCK_BUSY',
    message: 'it is mounted',
  };
  const { endpoint, env } = await node(t, [failed]);
  const { code, error } = await osctl(['wipe', 'disk', 'sda', '-y'], { env });
  t.is(code, 1);
  t.true(error.endsWith(`osctl: ${endpoint}: sda was not wiped: it is mounted (ERR_BLOCK_BUSY)\n`), error);

  const storage: Partial<StorageServiceHandlers> = {
    wipe: (call) => void call.emit('error', failure(status.FAILED_PRECONDITION, 'sda is used by volume u-a')),
  };
  const used = await startFakeNode(t, { storage });
  const refused = await osctl(['wipe', 'disk', 'sda'], {
    env: await clientConfig(t, { endpoints: [used.endpoint] }),
    typed: 'sda\n',
  });
  t.not(refused.code, 0);
  t.regex(refused.error, /sda is used by volume u-a/);
});

test('a volume is wiped by its id, after what lies on it was named', async (t) => {
  const seen: unknown[] = [];
  const volume = { ...planned, device: 'EPHEMERAL', closes: ['u-a', 'u-b'], takers: [] };
  const storage: Partial<StorageServiceHandlers> = {
    wipeVolumes: (call) => {
      const { volumes, dryRun } = call.request;
      seen.push([volumes, dryRun]);
      call.write(dryRun ? volume : { ...volume, state: WipeState.DONE });
      call.end();
    },
  };
  const { endpoint } = await startFakeNode(t, { storage });
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const { code, error } = await osctl(['wipe', 'volume', 'EPHEMERAL'], { env, typed: 'EPHEMERAL\n' });
  t.is(code, 0, error);
  t.deepEqual(seen, [
    [['EPHEMERAL'], true],
    [['EPHEMERAL'], false],
  ]);
  t.true(
    error.startsWith(
      `${endpoint}: EPHEMERAL, 200 GB, holds xfs: will be closed and wiped; u-a, u-b on it will be closed meanwhile\n`,
    ),
    error,
  );
});

test('what became of each device can be told as JSON, and nothing else is on standard output', async (t) => {
  const { endpoint, env } = await node(t, [running(50n), done]);
  const command = ['wipe', 'disk', 'sda', '-o', 'json'];
  const dry = await osctl([...command, '--dry-run'], { env });
  const outcome = { node: endpoint, name: 'sda', content: 'xfs', sizeBytes: 200_000_000_000 };
  t.deepEqual(JSON.parse(dry.out), [{ ...outcome, state: 'planned' }]);
  const { code, out } = await osctl([...command, '--yes'], { env });
  t.is(code, 0);
  t.deepEqual(JSON.parse(out), [{ ...outcome, state: 'wiped' }]);
  t.is((await osctl([...command.slice(0, -1), 'csv', '--yes'], { env })).code, 2, 'before anything is asked');
});
