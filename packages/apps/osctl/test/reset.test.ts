import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

import { failure } from '@nodecore/api';
import { type EventServiceHandlers, type EventsRequest, SequenceAction } from '@nodecore/api/event';
import {
  ResetMode,
  type ResetRequest,
  type ResetResponseInit,
  ResetStep,
  type StorageServiceHandlers,
} from '@nodecore/api/storage';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode, status } from './fake-node.ts';

const mb = 1_000_000n;
const planned: readonly ResetResponseInit[] = [
  {
    step: ResetStep.PLANNED,
    name: 'EPHEMERAL',
    devPath: '/dev/vda3',
    content: 'xfs',
    sizeBytes: 500n * mb,
    digest: 'shown',
  },
  {
    step: ResetStep.PLANNED,
    name: 'sdb',
    devPath: '/dev/sdb',
    content: '',
    sizeBytes: 2_000n * mb,
    digest: 'shown',
  },
];
const happens: readonly ResetResponseInit[] = [
  { step: ResetStep.LEAVING },
  { step: ResetStep.CLOSING },
  { step: ResetStep.WIPING, name: 'EPHEMERAL', sizeBytes: 500n * mb, doneBytes: 250n * mb },
  { step: ResetStep.DONE },
];
const names = ['--system-labels-to-wipe', 'EPHEMERAL', '--user-disks-to-wipe', '/dev/sdb'];

async function node(t: ExecutionContext, events: readonly ResetResponseInit[] = happens) {
  const seen: ResetRequest[] = [];
  const storage: Partial<StorageServiceHandlers> = {
    reset: (call) => {
      seen.push(call.request);
      for (const event of call.request.dryRun ? planned : events) call.write(event);
      call.end();
    },
  };
  const { endpoint } = await startFakeNode(t, { storage });
  return { endpoint, seen, env: await clientConfig(t, { endpoints: [endpoint] }) };
}

test('what would be destroyed is shown, its names are asked for, and what happens', async (t) => {
  const { endpoint, seen, env } = await node(t);
  const { code, error } = await osctl(['reset', ...names, '--reboot', '--wait=false'], {
    env,
    typed: 'EPHEMERAL sdb\n',
  });
  t.is(code, 0, error);
  t.deepEqual(
    seen.map(({ graceful, reboot, mode, systemLabels, userDisks, dryRun, digest }) => {
      return { graceful, reboot, mode, systemLabels, userDisks, dryRun, digest };
    }),
    [
      ['', true],
      ['shown', false],
    ].map(([digest, dryRun]) => ({
      graceful: true,
      reboot: true,
      mode: ResetMode.ALL,
      systemLabels: ['EPHEMERAL'],
      userDisks: ['/dev/sdb'],
      dryRun: dryRun === true,
      digest: String(digest),
    })),
  );
  const lines = error.split('\n');
  t.is(lines[0], `${endpoint}: EPHEMERAL, /dev/vda3, 500 MB, holds xfs: will be wiped`);
  t.is(lines[1], `${endpoint}: sdb, /dev/sdb, 2.00 GB, holds nothing that is recognised: will be wiped`);
  for (const line of ['leaves the kvstore', 'ends services and closes volumes', 'EPHEMERAL 50 % of 500 MB'])
    t.true(error.includes(`${endpoint}: ${line}\n`), line); // the first is behind what was asked
  t.is(lines.at(-2), `${endpoint}: is reset, and reboots`);
});

test('what was gone when it was to be wiped is not called wiped', async (t) => {
  const { endpoint, env } = await node(t, [
    ...happens.slice(0, 3),
    { step: ResetStep.WIPING, name: 'sdb', message: 'is not here any more' },
    { step: ResetStep.DONE },
  ]);
  const words = ['reset', ...names, '--wait=false', '--yes', '-o', 'json'];
  const { code, out, error } = await osctl(words, { env });
  t.deepEqual([code, out], [1, '']);
  t.true(
    error.includes(`${endpoint} was not reset: sdb is not here any more and was not wiped; all else is`),
    error,
  );
});

test('another word than the names, and a dry run, reset nothing', async (t) => {
  const { seen, env } = await node(t);
  t.is((await osctl(['reset', ...names], { env, typed: 'yes\n' })).code, 0);
  t.is((await osctl(['reset', ...names, '--dry-run'], { env })).code, 0);
  t.deepEqual(
    seen.map(({ dryRun }) => dryRun),
    [true, true],
  );
});

test('flags become fields, and a wrong one is refused before the node is asked', async (t) => {
  const { seen, env } = await node(t);
  const flags = ['--wipe-mode', 'user-disks', '--user-disks-to-wipe', 'sdb,sdc', '--graceful=false'];
  t.is((await osctl(['reset', ...flags, '--wait=false', '--yes'], { env })).code, 0);
  t.like(seen[1], { mode: ResetMode.USER_DISKS, userDisks: ['sdb', 'sdc'], graceful: false, reboot: false });
  for (const wrong of [['--wipe-mode', 'some'], ['--graceful=maybe'], ['--timeout', 'soon']])
    t.is((await osctl(['reset', ...wrong], { env })).code, 2, wrong.join(' '));
  t.is(seen.length, 2);
});

/** A node whose calls for resets end as `answer` has it; what it is afterwards is what `becomes` changes. */
async function life(t: ExecutionContext, answer: (call: ResetCall, becomes: Life) => void, what = planned) {
  const boots: Record<string, unknown> = { bootId: 'first' };
  const statuses: Record<string, unknown> = { stage: 'running', status: { ready: true } };
  let run = 'e';
  let digest = 'shown';
  const becomes: Life = (change) => {
    run = change.run ?? run;
    boots['bootId'] = change.bootId ?? boots['bootId'];
    statuses['stage'] = change.stage ?? statuses['stage'];
    const unmetConditions = change.unmet?.map((name) => ({ name, reason: 'lacks' }));
    if (unmetConditions) statuses['status'] = { ready: unmetConditions.length === 0, unmetConditions };
    digest = change.digest ?? digest;
  };
  const storage: Partial<StorageServiceHandlers> = {
    reset: (call) => {
      if (!call.request.dryRun) return answer(call, becomes);
      for (const plan of what) call.write({ ...plan, digest });
      call.end();
    },
  };
  const specs = {
    'BootIDs.runtime.nodecore.dev': { bootid: boots },
    'MachineStatuses.runtime.nodecore.dev': { machine: statuses },
  };
  const asked: EventsRequest[] = [];
  const events: Partial<EventServiceHandlers> = {
    events: (call) => {
      asked.push(call.request);
      const data = { sequence: { sequence: 'reset', action: SequenceAction.STOP } };
      call.write({ cursor: '1', events: [{ id: '1', actorId: 'a', data }] });
    },
  };
  const node = await startFakeNode(t, { storage, specs, events, run: () => run });
  return { ...node, asked, becomes, env: await clientConfig(t, { endpoints: [node.endpoint] }) };
}

type ResetCall = Parameters<StorageServiceHandlers['reset']>[0];
type Life = (
  change: Partial<Record<'run' | 'bootId' | 'stage' | 'digest', string>> & {
    /** Conditions that are not met. */
    readonly unmet?: readonly string[];
  },
) => void;

function ends(call: ResetCall): void {
  for (const event of happens) call.write({ ...event, actorId: 'a' });
  call.end();
}

/** The connection is gone in the middle. */
function dies(call: ResetCall): void {
  call.write({ step: ResetStep.CLOSING, actorId: 'a' });
  call.emit('error', failure(status.UNAVAILABLE, 'going down'));
}

test('it waits for another run of the agent that is ready, and says what it lacks meanwhile', async (t) => {
  const { endpoint, env, becomes } = await life(t, (call, change) => {
    ends(call);
    change({ run: 'f', stage: 'booting' });
  });
  const { code, error } = await osctl(['reset', ...names, '--yes', '--progress', 'plain'], {
    env,
    onError: (text) => {
      if (text.includes('is booting')) becomes({ stage: 'running' });
    },
  });
  t.is(code, 0, error);
  t.true(error.includes(`${endpoint}: waits for the node\n${endpoint}: is booting\n`), error);
  t.is(error.split('\n').at(-2), `${endpoint}: is reset, and is back`);
});

test('a node whose kvstore went with its volume is back when it lacks nothing but the bootstrap', async (t) => {
  const { env, becomes } = await life(t, (call, change) => {
    ends(call);
    change({ run: 'f', unmet: ['volumes', 'kvstore'] });
  });
  const { code, error } = await osctl(['reset', ...names, '--yes', '--progress', 'plain'], {
    env,
    onError: (text) => {
      if (text.includes('volumes: lacks; kvstore: lacks')) becomes({ unmet: ['kvstore'] });
    },
  });
  t.is(code, 0, error);
  t.regex(error, /is running; volumes: lacks; kvstore: lacks\n[\s\S]*is reset, and is back\n$/u);
});

test('with --reboot only another boot of the machine is another life', async (t) => {
  const { endpoint, env, becomes } = await life(t, (call, change) => {
    ends(call);
    change({ run: 'f' });
  });
  const { code, error } = await osctl(['reset', ...names, '--yes', '--reboot', '--debug'], {
    env,
    onError: (text) => {
      if (text.includes('still the run f')) becomes({ bootId: 'second' });
    },
  });
  t.is(code, 0, error);
  t.true(error.includes(`${endpoint}: still the run f of its agent, in boot first\n`), error);
});

test('a node that never begins anew is named when the time is over', async (t) => {
  const { endpoint, env } = await life(t, ends);
  const { code, error } = await osctl(['reset', ...names, '--yes', '--timeout', '2s'], { env });
  t.is(code, 7, error);
  t.true(error.includes(`${endpoint}: waits for the node`), error);
  t.true(error.includes(`${endpoint} does not answer anew after 2 s`), error);
});

test('a node that dies before it answers is waited for, and asked whether it holds what it held', async (t) => {
  const { endpoint, env } = await life(t, (call, change) => {
    dies(call);
    change({ run: 'f', digest: 'another' });
  });
  const done = await osctl(['reset', ...names, '--yes', '--reboot', '--progress', 'plain'], { env });
  t.is(done.code, 0, done.error);
  t.true(
    done.error.includes(`${endpoint}: the connection is lost; the reset goes on by itself\n`),
    done.error,
  );
  const same = await life(t, (call, change) => {
    dies(call);
    change({ run: 'f' });
  });
  const { code, error } = await osctl(['reset', ...names, '--yes'], { env: same.env });
  t.is(code, 1, error);
  t.regex(error, /was not reset: it has begun anew, and holds what it held/u);
});

test('a connection that is lost is a failure for who does not wait, and before anything was answered', async (t) => {
  const { env } = await life(t, dies);
  const away = await osctl(['reset', ...names, '--yes', '--wait=false'], { env });
  t.is(away.code, 1, away.error);
  t.regex(away.error, /the connection was lost before it was done/u);
  const silent = await life(t, (call) => void call.emit('error', failure(status.UNAVAILABLE, 'going down')));
  const { code, error } = await osctl(['reset', ...names, '--yes'], { env: silent.env });
  t.is(code, 5, error);
});

test('a node that loses STATE is waited for in maintenance, at the port where it is', async (t) => {
  const what: readonly ResetResponseInit[] = [{ ...planned[0], name: 'STATE' }];
  const specs = {
    'BootIDs.runtime.nodecore.dev': { bootid: { bootId: 'first' } },
    'MachineStatuses.runtime.nodecore.dev': { machine: { stage: 'maintenance', status: { ready: true } } },
  };
  const bare = await startFakeNode(t, { maintenance: true, specs, run: () => 'f' });
  let to: number | undefined;
  const { endpoint, env } = await life(
    t,
    (call) => {
      ends(call);
      to = bare.port;
    },
    what,
  );
  const door = createServer((socket) => {
    const inner = connect(to ?? Number(endpoint.split(':').at(-1)), '127.0.0.1');
    inner.on('error', () => socket.destroy());
    socket.on('error', () => inner.destroy());
    socket.on('close', () => inner.destroy());
    socket.pipe(inner).pipe(socket);
  });
  await once(door.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => door.close());
  const address = `127.0.0.1:${(door.address() as AddressInfo).port}`;
  const command = ['reset', '--system-labels-to-wipe', 'STATE', '--yes', '-e', address];
  const { code, error } = await osctl([...command, '-n', '127.0.0.1'], { env });
  t.is(code, 0, error);
  t.regex(error, /127\.0\.0\.1: is reset, and waits for a configuration/u);
});

test('a node that was to lose STATE, and begins anew with its configuration, was not reset', async (t) => {
  const { env } = await life(
    t,
    (call, change) => {
      dies(call);
      change({ run: 'f' });
    },
    [{ ...planned[0], name: 'STATE' }],
  );
  const { code, error } = await osctl(['reset', '--yes'], { env });
  t.is(code, 1, error);
  t.regex(error, /was not reset: it has begun anew with its configuration/u);
});

test('--debug waits, and tells each step, each attempt and the events of the reset with their times', async (t) => {
  const { endpoint, env, asked } = await life(t, ends);
  const seen = new AbortController();
  const { code, error } = await osctl(['reset', ...names, '--yes', '--wait=false', '--debug'], {
    env,
    signal: seen.signal,
    onError: (text) => {
      if (text.includes('still the run') && text.includes('reset stop')) seen.abort(new Error('enough'));
    },
  });
  t.is(code, 130, error);
  const lines = error.split('\n').filter((line) => /^\d{4}-\d\d-\d\dT[\d:.]+Z /u.test(line));
  const told = lines.map((line) => line.slice(line.indexOf(' ') + 1));
  t.is(told[0], `${endpoint}: leaves the kvstore`);
  t.true(told.includes(`${endpoint}: still the run e of its agent, in boot first`), error);
  t.true(told.includes(`${endpoint}: reset stop`), error);
  t.is(asked[0]?.withActorId, 'a');
});

test('--progress plain tells line after line, and there is no third way', async (t) => {
  const { endpoint, env } = await node(t);
  const plain = await osctl(['reset', ...names, '--yes', '--wait=false', '--progress', 'plain'], { env });
  t.is(plain.code, 0, plain.error);
  t.true(plain.error.includes(`\n${endpoint}: leaves the kvstore\n`), plain.error);
  const other = await osctl(['reset', ...names, '--yes', '--progress', 'fancy'], { env });
  t.is(other.code, 2);
});

test('a reset that fails says why, and what comes next', async (t) => {
  const message = '/var is in use: process 7 (etcd); nothing was wiped, and the node begins anew';
  const { endpoint, env } = await node(t, [{ step: ResetStep.FAILED, message, code: 'ERR_BLOCK_BUSY' }]);
  const { code, error } = await osctl(['reset', ...names, '--yes', '--wait=false'], { env });
  t.is(code, 1);
  t.true(error.includes(`${endpoint} was not reset: ${message} (ERR_BLOCK_BUSY)`), error);
});

test('a host refuses, and says why', async (t) => {
  const refusal = failure(
    status.FAILED_PRECONDITION,
    'the agent keeps its state in a directory of this host',
    {
      code: 'ERR_RESET_HOST',
    },
  );
  const storage: Partial<StorageServiceHandlers> = { reset: (call) => void call.emit('error', refusal) };
  const { endpoint } = await startFakeNode(t, { storage });
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const { code, error } = await osctl(['reset', '--yes'], { env });
  t.is(code, 1);
  t.regex(error, /keeps its state in a directory of this host/);
});

test('what became of each thing can be told as JSON', async (t) => {
  const { endpoint, env } = await node(t);
  const command = ['reset', ...names, '-o', 'json'];
  const [dry, done] = [
    await osctl([...command, '--dry-run'], { env }),
    await osctl([...command, '--yes', '--wait=false'], { env }),
  ];
  const [first, second] = JSON.parse(dry.out) as readonly object[];
  t.like(first, {
    node: endpoint,
    name: 'EPHEMERAL',
    devPath: '/dev/vda3',
    content: 'xfs',
    state: 'planned',
  });
  t.like(second, { name: 'sdb', content: '', sizeBytes: 2_000_000_000 });
  t.deepEqual(
    (JSON.parse(done.out) as readonly { state: string }[]).map(({ state }) => state),
    ['wiped', 'wiped'],
  );
});
