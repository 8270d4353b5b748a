import { setImmediate } from 'node:timers/promises';

import { ApplyMode } from '@nodecore/api/machine';
import { Store } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';
import { pino } from 'pino';

import { machineConfigs } from '../src/configuration/definitions.ts';
import type { EventData } from '../src/events/event.ts';
import { EventLog } from '../src/events/event-log.ts';
import { machineStatuses } from '../src/lifecycle/definitions.ts';
import { followBoot } from '../src/lifecycle/follow-boot.ts';
import { Lifecycle } from '../src/lifecycle/lifecycle.ts';
import { Sequences } from '../src/lifecycle/sequences.ts';
import { type Sequence, takeOvers } from '../src/lifecycle/take-overs.ts';
import { maintenanceStatuses } from '../src/maintenance/definitions.ts';
import { type ResetOrder, Resets } from '../src/resets/resets.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { feature } from '../src/supervisor/feature.ts';
import { type Step, Supervisor } from '../src/supervisor/supervisor.ts';
import { apiNode, ca } from './api-node.ts';
import { rootDocument } from './documents.ts';
import { disk, inventory, partition } from './inventory.ts';

const log = pino({ level: 'silent' });

function eventsOf(): EventLog {
  return new EventLog({ clock: new FakeClock(), bootId: 'boot' });
}

/** `reboot start`, `phase stopServices stop`, …, each behind its actor where it is told. */
function wordsOf(events: EventLog, { actors = false } = {}): string[] {
  return events.from(events.placeOf({ tail: -1 })).events.map(({ data, actorId }) => {
    const words = wordOf(data);
    return actors ? `${actorId} ${words}` : words;
  });
}

function wordOf(data: EventData): string {
  if (data.type === 'phase') return `${data.phase} ${data.action}`;
  if (data.type === 'task') return `- ${data.task} ${data.action}`;
  if (data.type !== 'sequence') return data.type;
  const why = data.error === undefined ? '' : ` ${data.error.code}`;
  return `${data.sequence} ${data.action}${why}`;
}

const all: readonly Sequence[] = [
  'initialize',
  'boot',
  'install',
  'upgrade',
  'rollback',
  'reset',
  'reboot',
  'shutdown',
];

/** Running in front of the colon, behind it what takes over. */
const rules = `
initialize: install upgrade rollback reboot shutdown
boot: install upgrade rollback reset reboot shutdown
install: rollback shutdown
upgrade: rollback shutdown
rollback: rollback shutdown
reset: rollback reboot shutdown
reboot: rollback reboot shutdown
shutdown: rollback shutdown
`;

test('of all pairs of sequences, those take over that the rules name, and the others are refused with what runs', (t) => {
  t.deepEqual(Object.keys(takeOvers).toSorted(), all.toSorted());
  const found = all.map((running) => {
    const taking = all.filter((requested) => {
      const events = eventsOf();
      const entered: (Sequence | undefined)[] = [];
      const sequences = new Sequences({ events, entered: (each) => entered.push(each) });
      const first = sequences.enter(running);
      try {
        const second = sequences.enter(requested, { actorId: 'second' });
        t.true(first.signal.aborted);
        t.is(sequences.running, requested);
        first.end();
        t.true(sequences.isRunning(second), 'the end of what was taken over ends nothing else');
        t.deepEqual(entered, [running, requested]);
        t.is(wordsOf(events).at(-1), `${running} stop canceled`);
        second.end();
        t.is(sequences.running, undefined);
        t.deepEqual(entered, [running, requested, undefined]);
        return true;
      } catch (error) {
        t.is(codeOf(error), 'ERR_LIFECYCLE_LOCKED');
        const { message } = error as Error;
        t.regex(message, /already in progress$/u);
        if (running !== 'upgrade' && running !== 'install')
          t.is(message, `locked: a ${running} is already in progress`);
        t.false(first.signal.aborted);
        t.is(sequences.running, running);
        t.is(wordsOf(events, { actors: true }).at(-1), `second ${requested} noop locked`);
        return false;
      }
    });
    return `${running}: ${taking.join(' ')}`;
  });
  t.deepEqual(found, rules.trim().split('\n'));
});

function machine() {
  const events = eventsOf();
  const ended = Promise.withResolvers<string>();
  const quiet = Promise.withResolvers<void>();
  const lifecycle = new Lifecycle({
    log,
    events,
    init: { say: () => true },
    clock: new FakeClock(),
    quiesce: () => quiet.promise,
    end: (ending) => ended.resolve(`${ending} of ${events.actor}`),
  });
  return { events, lifecycle, ended: ended.promise, quiet };
}

test('a reboot tells what it does under the id that its caller got, and so does the end of the agent', async (t) => {
  const { events, lifecycle, ended, quiet } = machine();
  const actor = lifecycle.begin('reboot', { takesOver: false });
  quiet.resolve();
  t.is(await ended, `reboot of ${actor}`);
  t.deepEqual(
    wordsOf(events, { actors: true }),
    ['reboot start', 'denyNewServices start', 'denyNewServices stop', 'restart'].map(
      (words) => `${actor} ${words}`,
    ),
  );
  const { data } = events.from(0).events.at(-1)!;
  t.deepEqual(data, { type: 'restart', cmd: 0x1234567 });
});

test('a shutdown cancels an upgrade, waits until it has ended, and then ends the machine', async (t) => {
  const { events, lifecycle, ended, quiet } = machine();
  quiet.resolve();
  const reached = Promise.withResolvers<void>();
  const upgrade = lifecycle.alone('upgrade', async (turn) => {
    turn.enterPhase('write');
    await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
    await reached.promise;
    turn.signal.throwIfAborted();
  });
  while (!wordsOf(events).includes('write start')) await setImmediate();
  t.is(codeOf(t.throws(() => lifecycle.begin('reboot', { takesOver: false }))), 'ERR_LIFECYCLE_LOCKED');
  lifecycle.begin('shutdown', { takesOver: false });
  let isOver = false;
  void ended.then(() => (isOver = true));
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  t.false(isOver, 'the upgrade has not ended');
  reached.resolve();
  await t.throwsAsync(upgrade, { code: 'ERR_LIFECYCLE_CANCELED', message: /a shutdown has taken over/u });
  t.regex(await ended, /^poweroff/u);
  t.deepEqual(wordsOf(events), [
    'upgrade start',
    'write start',
    'reboot noop locked',
    'shutdown start',
    'denyNewServices start',
    'write stop',
    'upgrade stop canceled',
    'denyNewServices stop',
    'restart',
  ]);
});

const disks = inventory(
  [disk('vda')],
  [
    partition('vda', 1, { partitionLabel: 'META' }),
    partition('vda', 2, { partitionLabel: 'STATE', partitionUuid: 'guid', name: 'luks' }),
  ],
);
const order: ResetOrder = {
  mode: 'all',
  labels: ['STATE'],
  userDisks: [],
  graceful: true,
  reboot: true,
  dryRun: false,
  digest: '',
};

function resetting(sequences: Sequences, halt: () => Promise<void> = async () => {}) {
  const done: string[] = [];
  const resets = new Resets({
    isOwnMachine: true,
    enter: () => sequences.enter('reset'),
    inventory: { value: disks },
    statuses: () => [],
    isConfigured: () => true,
    leave: async () => {},
    halt,
    begin: async () => void done.push('record'),
    perform: async () => void done.push('wipe'),
    end: (ending) => void done.push(ending),
  });
  return { resets, done };
}

test('a reset has phases, and its caller gets its id', async (t) => {
  const events = eventsOf();
  const { resets, done } = resetting(new Sequences({ events }));
  const actors = new Set<string | undefined>();
  for await (const { actorId } of resets.request(order)) actors.add(actorId);
  await setImmediate();
  await setImmediate();
  t.deepEqual(done, ['record', 'wipe', 'reboot']);
  const [actor] = actors;
  t.is(actors.size, 1);
  const parts = ['leave', 'stopEverything', 'preReset', 'wipe'].flatMap((each) => [
    `${each} start`,
    `${each} stop`,
  ]);
  t.deepEqual(
    wordsOf(events, { actors: true }),
    ['reset start', ...parts, 'reset stop'].map((words) => `${actor} ${words}`),
  );
});

test('a reset that another sequence takes over from before it is certain wipes nothing, and does not end the machine', async (t) => {
  const events = eventsOf();
  const sequences = new Sequences({ events });
  const halted = Promise.withResolvers<void>();
  const { resets, done } = resetting(sequences, () => halted.promise);
  const steps: string[] = [];
  for await (const { step, message = '' } of resets.request(order)) {
    steps.push(`${step} ${message}`.trim());
    if (step !== 'closing') continue;
    sequences.enter('reboot');
    halted.resolve();
  }
  await setImmediate();
  await setImmediate();
  t.deepEqual(steps, [
    'leaving',
    'closing',
    'failed a reboot has taken over; nothing was wiped, and the node begins anew',
  ]);
  t.deepEqual(done, []);
  t.true(wordsOf(events).includes('reset stop canceled'));
});

const done = async (): Promise<void> => {};

test('what a configuration does is told by the features that it is prepared in, and so is the end of everything', async (t) => {
  const steps: Step[] = [];
  const busy = feature({
    name: 'busy',
    make: () => ({ handle: undefined, prepare: done, configure: () => {}, quiesce: done, close: done }),
  });
  const idle = feature({ name: 'idle', make: () => ({ handle: undefined }) });
  const supervisor = new Supervisor([idle, busy], {
    log,
    clock: new FakeClock(),
    stepped: (step) => steps.push(step),
  });
  await supervisor.start();
  await supervisor.activate({} as never);
  await supervisor.halt({ unmount: true });
  t.deepEqual(
    steps.map(({ kind, name, action }) => `${kind === 'task' ? '- ' : ''}${name} ${action}`),
    [
      'prepare start',
      '- busy start',
      '- busy stop',
      'prepare stop',
      'configure start',
      'configure stop',
      'stopServices start',
      '- busy start',
      '- busy stop',
      'stopServices stop',
      'stopControllers start',
      'stopControllers stop',
      'stopEverything start',
      '- busy start',
      '- busy stop',
      'stopEverything stop',
    ],
  );
});

test('a phase that fails ends all the same', async (t) => {
  const steps: string[] = [];
  const failing = feature({
    name: 'failing',
    make: () => ({ handle: undefined, prepare: () => Promise.reject(new Error('no')) }),
  });
  const stepped = ({ name, action }: Step): void => void steps.push(`${name} ${action}`);
  const supervisor = new Supervisor([failing], { log, clock: new FakeClock(), stepped });
  await t.throwsAsync(supervisor.activate({} as never), { message: 'no' });
  t.deepEqual(steps, ['prepare start', 'failing start', 'failing stop', 'prepare stop']);
});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
}

/** The first minutes of a machine. */
function booting() {
  const events = eventsOf();
  const store = new Store();
  const sequences = new Sequences({ events });
  const stopping = new AbortController();
  const running = followBoot({ store, sequences }, stopping.signal);
  const put = (definition: typeof machineConfigs, id: string, spec: object): void =>
    store.replace(kindOf(definition), new Map([[id, spec as never]]), 'x');
  return {
    events,
    sequences,
    settled,
    maintenance: () => put(maintenanceStatuses, 'maintenance', { reason: '' }),
    configured: () => put(machineConfigs, 'v1alpha1', {}),
    status: (stage: string, ready: boolean) => put(machineStatuses, 'machine', { stage, status: { ready } }),
    end: async () => {
      stopping.abort();
      await running;
    },
  };
}

test('a boot is told until the machine is ready, also one that waits for its first configuration', async (t) => {
  for (const isNew of [false, true]) {
    const node = booting();
    await node.settled();
    t.is(node.sequences.running, 'initialize');
    if (isNew) node.maintenance();
    await node.settled();
    t.is(node.sequences.running, isNew ? undefined : 'initialize');
    node.configured();
    await node.settled();
    t.is(node.sequences.running, 'boot');
    node.status('running', false);
    node.status('maintenance', true);
    await node.settled();
    t.is(node.sequences.running, 'boot');
    node.status('running', true);
    await node.settled();
    t.is(node.sequences.running, undefined);
    t.deepEqual(wordsOf(node.events), [
      'initialize start',
      'config start',
      'config stop',
      'initialize stop',
      'boot start',
      'startEverything start',
      'startEverything stop',
      'boot stop',
    ]);
    await node.end();
  }
});

test('a boot that something takes over from is canceled', async (t) => {
  const node = booting();
  node.configured();
  await node.settled();
  node.sequences.enter('reset').end();
  await node.settled();
  t.true(wordsOf(node.events).includes('boot stop canceled'));
  await node.end();
});

test('who applies a configuration gets the id of its events; one that is refused is told without what was written', async (t) => {
  const { insecure, as, events } = await apiNode(t);
  const data = Buffer.from(rootDocument(ca));
  const { actorId } = await insecure().applyConfiguration({ data, mode: ApplyMode.AUTO });
  t.deepEqual(wordsOf(events, { actors: true }), [`${actorId} apply start`, `${actorId} apply stop`]);
  const admin = await as(['os:admin']);
  const dry = await admin.applyConfiguration({ data, dryRun: true });
  t.is(dry.actorId, '');
  const wrong = Buffer.from('apiVersion: v1alpha1\nkind: HostnameConfig\nhostnme: hunter2\n');
  await t.throwsAsync(admin.applyConfiguration({ data: wrong }), { code: 'ERR_API_INVALID' });
  t.deepEqual(wordsOf(events).slice(2), ['apply start', 'configValidationError', 'apply stop fatal']);
  const [, told] = events.from(2).events;
  t.regex(JSON.stringify(told), /3:1|line 3/u);
  t.notRegex(JSON.stringify(told), /hunter2/u);
});
