import { ApiError, encodeSpec } from '@nodecore/api';
import {
  type LifecycleServiceHandlers,
  UpgradePhase,
  type UpgradeResponseInit,
} from '@nodecore/api/lifecycle';
import type { MachineServiceHandlers } from '@nodecore/api/machine';
import test, { type ExecutionContext } from 'ava';

import { requireEntry } from '../src/lifecycle/require-entry.ts';
import type { Target } from '../src/nodes/target.ts';
import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

const image = '10.5.0.1:8081/metal-installer/cafe:v1.14.1';
const entry = 'nodeos-1.14.1-2+3.efi';
const goes: readonly UpgradeResponseInit[] = [
  { phase: UpgradePhase.PULL, message: 'pulls the boot image', doneBytes: 30n, totalBytes: 60_000_000n },
  {
    phase: UpgradePhase.PULL,
    message: 'pulls the boot image',
    doneBytes: 60_000_000n,
    totalBytes: 60_000_000n,
  },
  { phase: UpgradePhase.WRITE, message: `writes ${entry}`, entry, version: 'v1.14.1' },
  { phase: UpgradePhase.SWITCH, message: 'v1.14.1 is tried at the next boot', entry, version: 'v1.14.1' },
  { exitCode: 0 },
];

async function machine(
  t: ExecutionContext,
  answers = goes,
  comesUp = true,
  end = (call: { readonly end: () => void }): void => call.end(),
) {
  const asked: string[] = [];
  const boots = { bootId: 'first' };
  const booted = { entry: 'nodeos-1.14.0-1.efi', version: 'v1.14.0' };
  const specs = {
    'BootIDs.runtime.nodecore.dev': { bootid: boots },
    'BootedEntries.runtime.nodecore.dev': { booted },
    'MachineStatuses.runtime.nodecore.dev': { machine: { stage: 'running', status: { ready: true } } },
  };
  const reboots = (next: typeof booted): void => {
    boots.bootId = 'second';
    if (comesUp) Object.assign(booted, next);
  };
  const lifecycle: Partial<LifecycleServiceHandlers> = {
    upgrade: (call) => {
      const { source, dryRun, force, expectedDigest } = call.request;
      asked.push(JSON.stringify([source?.imageName, dryRun, force, expectedDigest]));
      for (const answer of answers) call.write(answer);
      end(call);
    },
  };
  const handlers: Partial<MachineServiceHandlers> = {
    reboot: (_call, answer) => {
      asked.push('reboot');
      reboots({ entry: 'nodeos-1.14.1-2+2-1.efi', version: 'v1.14.1' });
      answer(null, { actorId: 'a' });
    },
    rollback: (_call, answer) => {
      asked.push('rollback');
      reboots({ entry: 'nodeos-1.13.9-1.efi', version: 'v1.13.9' });
      answer(null, { actorId: 'a', version: 'v1.13.9', entry: 'nodeos-1.13.9-1.efi' });
    },
  };
  const { endpoint } = await startFakeNode(t, { specs, machine: handlers, lifecycle });
  return { endpoint, asked, env: await clientConfig(t, { endpoints: [endpoint] }) };
}

test('a node writes the release, reboots into it, and is waited for', async (t) => {
  const { endpoint, asked, env } = await machine(t);
  const { code, out, error } = await osctl(['upgrade', '-i', image], { env });
  t.is(code, 0, error);
  t.is(out, `${endpoint}: is back and ready: v1.14.1\n`);
  t.deepEqual(asked, [JSON.stringify([image, false, false, '']), 'reboot']);
  for (const line of ['pulls the boot image: 0 % of 60.0 MB', `writes ${entry}`, 'reboots into v1.14.1'])
    t.true(error.includes(`${endpoint}: ${line}\n`), error);
});

/** All percents of something. */
function count(phase: UpgradePhase, message: string): readonly UpgradeResponseInit[] {
  return Array.from({ length: 101 }, (_, percent) => ({
    phase,
    message,
    doneBytes: BigInt(percent),
    totalBytes: 100n,
  }));
}

test('a log has every tenth percent, and all that is said besides', async (t) => {
  const answers = [
    ...count(UpgradePhase.PULL, 'pulls the boot image'),
    ...count(UpgradePhase.WRITE, `writes ${entry}`),
    ...goes.slice(2),
  ];
  const { endpoint, env } = await machine(t, answers);
  const tenths = Array.from({ length: 11 }, (_, tenth) => `${tenth * 10} % of 100 B`);
  const lines = [
    ...tenths.map((tenth) => `pulls the boot image: ${tenth}`),
    ...tenths.map((tenth) => `writes ${entry}: ${tenth}`),
    `writes ${entry}`,
  ];
  for (const more of [[], ['--debug']]) {
    const { error } = await osctl(['upgrade', '-i', image, '--no-reboot', ...more], { env });
    const said = error.split('\n').map((line) => line.slice(line.indexOf(`${endpoint}: `)));
    t.deepEqual(
      said.filter((line) => / (?:pulls|writes) /.test(line)),
      lines.map((line) => `${endpoint}: ${line}`),
    );
  }
});

test('a release that did not come up is named, with where to look', async (t) => {
  const { env, endpoint } = await machine(t, goes, false);
  const { code, out, error } = await osctl(['upgrade', '-i', image], { env });
  t.deepEqual([code, out], [1, '']);
  t.true(
    error.includes(`${endpoint}: v1.14.1 did not come up, and v1.14.0 runs: osctl get bootentries says why`),
    error,
  );
});

test('another installation of the version that runs is no upgrade when the boot loader went back to that', async (t) => {
  const again = goes.map((each) => ({
    ...each,
    ...(each.entry !== undefined && { entry: 'nodeos-1.14.0-2+3.efi', version: 'v1.14.0' }),
  }));
  const { env, endpoint } = await machine(t, again, false);
  const { code, out, error } = await osctl(['upgrade', '-i', image], { env });
  t.deepEqual([code, out], [1, '']);
  t.true(
    error.includes(
      `${endpoint}: v1.14.0 did not come up, and another installation of it, nodeos-1.14.0-1.efi, runs`,
    ),
    error,
  );
});

test('a rollback that ended in what ran before is none', async (t) => {
  const { env, endpoint } = await machine(t, goes, false);
  const { code, out, error } = await osctl(['rollback'], { env });
  t.deepEqual([code, out], [1, '']);
  t.true(error.includes(`${endpoint}: v1.13.9 did not come up, and v1.14.0 runs`), error);
});

test('a node that does not say what runs is asked again, and is no success', async (t) => {
  const answers: unknown[] = [];
  const client = {
    get: () => {
      answers.push('asked');
      if (answers.length === 3)
        return Promise.resolve({ resource: { spec: encodeSpec({ entry, version: 'v1.14.1' }) } });
      return Promise.reject(new ApiError('ERR_API_NOT_FOUND', 'no such resource', { endpoint: 'node' }));
    },
  };
  const target = { name: 'node', client, node: undefined, direct: false } as unknown as Target;
  const wanted = {
    entry,
    version: 'v1.14.1',
    signal: new AbortController().signal,
    clock: { sleep: () => Promise.resolve() },
  };
  await requireEntry(target, wanted);
  t.is(answers.length, 3);
  await t.throwsAsync(requireEntry(target, wanted), { message: /does not say whether v1\.14\.1 runs/ });
});

test('a node that refuses says why, and is not rebooted', async (t) => {
  const { env, endpoint, asked } = await machine(t, [
    { phase: UpgradePhase.VERIFY, message: 'verifies v1.14.1' },
    { message: 'no key that the running image trusts has signed it (ERR_UPGRADE_SIGNATURE)' },
    { exitCode: 1 },
  ]);
  const { code, error } = await osctl(['upgrade', '-i', image], { env });
  t.is(code, 1);
  t.true(error.includes(`${endpoint} was not upgraded: no key that the running image trusts`), error);
  t.is(asked.length, 1);
});

test('--no-reboot and --dry-run leave what runs', async (t) => {
  const { env, endpoint, asked } = await machine(t);
  const flags = ['--no-reboot', '--expected-digest', 'sha256:00', '--force'];
  const written = await osctl(['upgrade', '--image', image, ...flags], { env });
  t.deepEqual(
    [written.code, written.out],
    [0, `${endpoint}: has written ${entry}; the next boot tries it\n`],
  );
  const dry = await osctl(['upgrade', '--image', image, '--dry-run'], { env });
  t.is(dry.code, 0, dry.error);
  t.deepEqual(asked, [
    JSON.stringify([image, false, true, 'sha256:00']),
    JSON.stringify([image, true, false, '']),
  ]);
  t.is((await osctl(['upgrade'], { env })).code, 2);
});

test('rollback says where it goes', async (t) => {
  const { env, endpoint, asked } = await machine(t);
  const { code, out } = await osctl(['rollback'], { env });
  t.deepEqual([code, out, asked], [0, `${endpoint}: is back and ready: v1.13.9\n`, ['rollback']]);
});

test('who stops waiting is told that the node goes on, and where to look', async (t) => {
  const stop = new AbortController();
  const { endpoint, env } = await machine(t, goes.slice(0, 3), true, () => {});
  const { code, error } = await osctl(['upgrade', '-i', image], {
    env,
    signal: stop.signal,
    onError: (text) => {
      if (text.includes('writes nodeos')) stop.abort();
    },
  });
  t.is(code, 130, error);
  t.true(
    error.includes(
      `${endpoint}: the node goes on writing the release, and does not reboot by itself: osctl get`,
    ),
    error,
  );
});

test('programs get the release and what became of each node as JSON', async (t) => {
  const { endpoint, env } = await machine(t);
  const json = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse((await osctl([...args, '-o', 'json'], { env })).out);
  const release = { version: 'v1.14.1', entry };
  const message = `has written ${entry}; the next boot tries it`;
  t.deepEqual(await json('upgrade', '-i', image, '--no-reboot'), [
    { node: endpoint, state: 'written', ...release, message },
  ]);
  t.like(await json('upgrade', '-i', image, '--dry-run'), [{ state: 'checked', ...release }]);
  t.like(await json('upgrade', '-i', image), [
    { state: 'back', ...release, message: 'is back and ready: v1.14.1' },
  ]);
  const back = await json('rollback', '--wait=false');
  t.deepEqual(back, [{ node: endpoint, state: 'asked', version: 'v1.13.9', message: 'reboots: v1.13.9' }]);
});
