import { failure } from '@nodecore/api';
import { type EventServiceHandlers, SequenceAction, StepAction } from '@nodecore/api/event';
import type { KernelLogServiceHandlers } from '@nodecore/api/kernel-log';
import { type MachineServiceHandlers, RebootMode } from '@nodecore/api/machine';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode, status } from './fake-node.ts';

type Specs = Record<string, Record<string, Record<string, unknown>>>;

type Unmet = { readonly name: string; readonly reason: string };

type MachineOptions = {
  readonly comesBack?: boolean;
  /** What it lacks before and after, beside what it lacks when it has just come back. */
  readonly unmet?: readonly Unmet[];
  readonly events?: Partial<EventServiceHandlers>;
  readonly kernelLog?: Partial<KernelLogServiceHandlers>;
};

/** A machine that boots anew when it is told to, and is ready at the third look. */
async function machine(
  t: ExecutionContext,
  { comesBack = true, unmet = [], events, kernelLog }: MachineOptions = {},
) {
  const asked: unknown[] = [];
  const boots: Record<string, unknown> = { bootId: 'first' };
  const statuses: Record<string, unknown> = { stage: 'running' };
  const becomes = (...unmetConditions: readonly Unmet[]): void =>
    void (statuses['status'] = { ready: unmetConditions.length === 0, unmetConditions });
  becomes(...unmet);
  const specs: Specs = {
    'BootIDs.runtime.nodecore.dev': { bootid: boots },
    'MachineStatuses.runtime.nodecore.dev': { machine: statuses },
  };
  const reboots = (): void => {
    if (!comesBack) return;
    boots['bootId'] = 'second';
    becomes({ name: 'volumes', reason: 'EPHEMERAL is waiting' }, ...unmet);
  };
  const handlers: Partial<MachineServiceHandlers> = {
    reboot: ({ request }, answer) => {
      asked.push(request.mode);
      reboots();
      answer(null, { actorId: 'a' });
    },
    shutdown: ({ request }, answer) => {
      asked.push(request.force);
      answer(null, { actorId: 'a' });
    },
  };
  const node = await startFakeNode(t, {
    specs,
    machine: handlers,
    ...(events && { events }),
    ...(kernelLog && { kernelLog }),
  });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  return { ...node, env, asked, becomes, becomesReady: () => becomes() };
}

test('reboot waits for another boot that is ready, and says what it lacks meanwhile', async (t) => {
  const { endpoint, env, asked, becomesReady } = await machine(t);
  const { code, out, error } = await osctl(['reboot', '--mode', 'powercycle', '--progress', 'plain'], {
    env,
    onError: (text) => {
      if (text.includes('EPHEMERAL')) becomesReady();
    },
  });
  t.is(code, 0, error);
  t.is(out, `${endpoint}: is back and ready\n`);
  t.deepEqual(asked, [RebootMode.POWERCYCLE]);
  t.true(error.includes(`${endpoint}: is running; volumes: EPHEMERAL is waiting\n`), error);
});

test('a kvstore that nobody had begun before is not waited for, and what waits for a bootstrap is said', async (t) => {
  const unbegun = { name: 'kvstore', reason: 'it has no data: run osctl bootstrap' };
  const { endpoint, env, becomes } = await machine(t, { unmet: [unbegun] });
  const words = ['reboot', '--progress', 'plain', '-o', 'json'] as const;
  const same = await osctl(words, {
    env,
    onError: (text) => {
      if (text.includes('EPHEMERAL')) becomes(unbegun);
    },
  });
  const message = `is back (kvstore: ${unbegun.reason})`;
  t.deepEqual(
    [same.code, JSON.parse(same.out)],
    [0, [{ node: endpoint, state: 'back', stage: 'running', message }]],
  );
  t.true(
    same.error.includes(`${endpoint}: is running; volumes: EPHEMERAL is waiting; kvstore: `),
    same.error,
  );
  // One that ran before is waited for.
  const other = await machine(t);
  let line = '';
  const back = await osctl(['reboot', '--progress', 'plain'], {
    env: other.env,
    onError: (text) => {
      if (text.includes('EPHEMERAL')) other.becomes(unbegun);
      if (!text.includes('is running; kvstore: ')) return;
      line = text;
      other.becomesReady();
    },
  });
  t.is(back.out, `${other.endpoint}: is back and ready\n`);
  t.regex(line, /is running; kvstore: it has no data: run osctl bootstrap/u);
});

test('a machine that does not boot anew is named when the time is over', async (t) => {
  const { endpoint, env } = await machine(t, { comesBack: false });
  const { code, error } = await osctl(['reboot', '--timeout', '2s'], { env });
  t.is(code, 7, error);
  t.true(error.includes(`${endpoint}: the node goes on by itself: osctl get machinestatus`), error);
  t.true(error.includes(`${endpoint} does not answer anew after 2 s`), error);
});

test('without waiting it is asked and no more; wrong words are refused before', async (t) => {
  const { endpoint, env, asked } = await machine(t);
  const done = await osctl(['reboot', '--wait=false', '-m', 'force'], { env });
  t.deepEqual([done.code, done.out], [0, `${endpoint}: reboots\n`]);
  t.deepEqual(asked, [RebootMode.FORCE]);
  const off = await osctl(['shutdown', '--wait=false', '--force'], { env });
  t.deepEqual([off.code, off.out], [0, `${endpoint}: goes off\n`]);
  t.deepEqual(asked, [RebootMode.FORCE, true]);
  t.is((await osctl(['reboot', '-m', 'softly'], { env })).code, 2);
});

test('shutdown waits until the node is silent', async (t) => {
  const { env, endpoint, server } = await machine(t);
  const { code, out } = await osctl(['shutdown', '--debug'], {
    env,
    onError: (text) => {
      if (text.includes('is running')) server.forceShutdown();
    },
  });
  t.deepEqual([code, out], [0, `${endpoint}: does not answer any more\n`]);
});

test('a node that can not be rebooted says why', async (t) => {
  const why = "the agent was not started by the node's init program";
  const refusal = failure(status.FAILED_PRECONDITION, why, { code: 'ERR_LIFECYCLE_NO_INIT' });
  const node = await startFakeNode(t, { machine: { reboot: (_call, answer) => answer(refusal) } });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const { code, error } = await osctl(['reboot', '--wait=false'], { env });
  t.is(code, 1);
  t.true(error.includes(why), error);
});

test('who asks to drain a node is told that there is nothing to do it with; a default says nothing', async (t) => {
  const { env } = await machine(t);
  const drains = /--drain moves nothing: nodes of this version run no orchestrator/u;
  t.regex((await osctl(['reboot', '--wait=false', '--drain'], { env })).error, drains);
  t.notRegex((await osctl(['reboot', '--wait=false', '--drain=false'], { env })).error, drains);
  t.notRegex((await osctl(['reboot', '--wait=false'], { env })).error, drains);
});

test('programs get what became of each node as JSON', async (t) => {
  const { endpoint, env, becomesReady } = await machine(t);
  const asked = await osctl(['shutdown', '--wait=false', '-o', 'json'], { env });
  t.deepEqual(JSON.parse(asked.out), [{ node: endpoint, state: 'asked', message: 'goes off' }]);
  const { code, out } = await osctl(['reboot', '--progress', 'plain', '-o', 'json'], {
    env,
    onError: (text) => {
      if (text.includes('EPHEMERAL')) becomesReady();
    },
  });
  const back = { node: endpoint, state: 'back', stage: 'running', message: 'is back and ready' };
  t.deepEqual([code, JSON.parse(out)], [0, [back]]);
});

test('what the node tells of the reboot is shown while it is waited for, tasks with --debug', async (t) => {
  for (const debug of [false, true]) {
    const asked: string[] = [];
    const data = [
      { sequence: { sequence: 'reboot', action: SequenceAction.START } },
      { phase: { phase: 'stopServices', action: StepAction.START } },
      { task: { task: 'kvstore', action: StepAction.START } },
    ];
    const events: Partial<EventServiceHandlers> = {
      events: (call) => {
        asked.push(call.request.withActorId);
        if (asked.length > 1) return; // it stays silent
        const told = data.map((each, index) => ({ id: String(index), actorId: 'a', data: each }));
        call.write({ events: told, cursor: '2' });
        call.emit('error', failure(status.UNAVAILABLE, 'it ends'));
      },
    };
    const kernelLog: Partial<KernelLogServiceHandlers> = {
      dmesg: (call) => {
        const record = {
          facility: 'kern',
          priority: 'info',
          message: `reboot: \u001b[2J ${call.request.tail}`,
        };
        call.write({ records: [record], bootId: 'first' });
      },
    };
    const { env, endpoint, becomesReady } = await machine(t, { events, kernelLog });
    const words = ['reboot', '--progress', 'plain', ...(debug ? ['--debug'] : [])];
    const { code, error } = await osctl(words, {
      env,
      onError: (text) => {
        const hasKernel = text.includes('kern: info: reboot: ?[2J true') || !debug;
        if (text.includes('EPHEMERAL') && text.includes('stopServices') && hasKernel) becomesReady();
      },
    });
    t.is(code, 0, error);
    for (const line of ['reboot start', 'stopServices'])
      t.true(error.includes(`${endpoint}: ${line}`), error);
    t.is(error.includes('kvstore start'), debug, error);
    t.is(error.includes('kern: info: reboot: ?[2J true'), debug, error);
    t.is(asked[0], 'a');
  }
});
