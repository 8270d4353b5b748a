import { failure } from '@nodecore/api';
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

test('it waits for another run of the agent', async (t) => {
  const { endpoint, env } = await node(t);
  // The fake node stays the same run: it is waited for until the time is over.
  const { code, error } = await osctl(['reset', ...names, '--yes', '--timeout', '2s'], { env });
  t.is(code, 7, error);
  t.true(error.includes(`${endpoint}: waits for the node`), error);
  t.true(error.includes(`${endpoint} does not answer anew after 2 s`), error);
});

test('--debug tells each step and each attempt with its time', async (t) => {
  const { endpoint, env } = await node(t);
  const seen = new AbortController();
  const { code, error } = await osctl(['reset', ...names, '--yes', '--debug'], {
    env,
    signal: seen.signal,
    onError: (text) => {
      if (text.includes('still the run')) seen.abort(new Error('enough'));
    },
  });
  t.is(code, 130, error);
  const lines = error.split('\n').filter((line) => /^\d{4}-\d\d-\d\dT[\d:.]+Z /u.test(line));
  const told = lines.map((line) => line.slice(line.indexOf(' ') + 1));
  t.is(told[0], `${endpoint}: leaves the kvstore`);
  t.true(told.includes(`${endpoint}: still the run e of its agent`), error);
  const without = await osctl(['reset', ...names, '--yes', '--debug', '--wait=false'], { env });
  t.is(without.code, 2);
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
  const { code, error } = await osctl(['reset', ...names, '--yes'], { env });
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
