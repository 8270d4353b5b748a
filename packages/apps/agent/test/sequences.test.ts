import { setImmediate } from 'node:timers/promises';

import { ApplyMode } from '@nodecore/api/machine';
import { codeOf } from '@nodecore/sys';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';
import { pino } from 'pino';

import { type BeginOptions, type DirectStart, Lifecycle } from '../src/lifecycle/lifecycle.ts';
import { Sequences } from '../src/lifecycle/sequences.ts';
import { type Sequence, takeOvers } from '../src/lifecycle/take-overs.ts';
import { apiNode, ca } from './api-node.ts';
import { rootDocument } from './documents.ts';

import { eventsOf, wordsOf } from './event-words.ts';

const silent = pino({ level: 'silent' });

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

function machine({ log = silent, clock = new FakeClock() } = {}) {
  const events = eventsOf();
  const ended = Promise.withResolvers<string>();
  const quiet = Promise.withResolvers<void>();
  const lifecycle = new Lifecycle({
    log,
    events,
    init: { say: () => true },
    clock,
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

test('a reboot goes past the firmware where the kernel is loaded, and says why where it is not', async (t) => {
  const restarted = async (load: DirectStart['load'], options: Partial<BeginOptions> = {}) => {
    const { events, lifecycle, ended, quiet } = machine();
    lifecycle.offer({ load, forget: async () => t.fail('nobody has taken over') });
    quiet.resolve();
    lifecycle.begin('reboot', { takesOver: false, kexec: true, ...options });
    const [ending] = (await ended).split(' ');
    return { ending, words: wordsOf(events), data: events.from(0).events.at(-1)!.data };
  };
  t.like(await restarted(async () => undefined), {
    ending: 'kexec',
    data: { type: 'restart', cmd: 0x45584543 },
    words: [
      'reboot start',
      'denyNewServices start',
      'denyNewServices stop',
      'kexec start',
      'kexec stop',
      'restart',
    ],
  });
  const refused = await restarted(async () => 'Secure Boot is on');
  t.is(refused.ending, 'reboot');
  t.deepEqual(refused.data, { type: 'restart', cmd: 0x1234567, reason: 'Secure Boot is on' });
  const broken = await restarted(() => Promise.reject(new TypeError('secret')));
  t.is(broken.ending, 'reboot');
  t.like(broken.data, { reason: 'no kernel is loaded: internal error' });
  // What asks for the firmware, and every reboot that nobody has asked for, goes there.
  const direct = await restarted(() => Promise.reject(new Error('it is loaded')), { kexec: false });
  t.is(direct.ending, 'reboot');
  t.deepEqual(direct.data, { type: 'restart', cmd: 0x1234567 });
});

test('a kernel that takes its time to be loaded keeps the machine for two minutes', async (t) => {
  const clock = new FakeClock();
  const { events, lifecycle, ended, quiet } = machine({ clock });
  const given = Promise.withResolvers<AbortSignal>();
  lifecycle.offer({
    load: (signal) => {
      given.resolve(signal);
      return new Promise(() => {});
    },
    forget: async () => {},
  });
  quiet.resolve();
  lifecycle.begin('reboot', { takesOver: false, kexec: true });
  const signal = await given.promise;
  while (clock.sleepers === 0) await setImmediate();
  clock.advance(119_999);
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  t.false(signal.aborted);
  clock.advance(1);
  t.regex(await ended, /^reboot /u);
  t.true(signal.aborted);
  t.like(events.from(0).events.at(-1)!.data, { reason: 'to load it takes longer than two minutes' });
});

test('a shutdown that takes over while a kernel is loaded has the last word, and nothing is remembered of the start', async (t) => {
  const { lifecycle, ended, quiet } = machine();
  const [begun, loaded, forgotten] = [0, 1, 2].map(() => Promise.withResolvers<void>());
  lifecycle.offer({
    load: async () => {
      begun?.resolve();
      await loaded?.promise;
      return undefined;
    },
    forget: async () => forgotten?.resolve(),
  });
  quiet.resolve();
  lifecycle.begin('reboot', { takesOver: false, kexec: true });
  await begun?.promise;
  lifecycle.begin('shutdown', { takesOver: true });
  loaded?.resolve();
  t.regex(await ended, /^poweroff /u);
  await forgotten?.promise;
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

/** There is nothing to go back to. */
const failed = () => Promise.reject(Object.assign(new Error('previous UKI not found'), { code: 'ERR_NONE' }));

test('a rollback that fails ends the machine where it has taken over from what was to end it, and only there', async (t) => {
  for (const [taken, ending] of [
    ['reset', 'reboot'],
    ['reboot', 'reboot'],
    ['shutdown', 'poweroff'],
    ['boot', undefined],
    ['initialize', undefined],
  ] as const) {
    const { lifecycle, ended, quiet } = machine();
    quiet.resolve();
    const turn = taken === 'reboot' || taken === 'shutdown' ? undefined : lifecycle.sequences.enter(taken);
    if (turn === undefined) lifecycle.begin(taken as 'reboot', { takesOver: false });
    const rollback = lifecycle.alone('rollback', failed, 'mine');
    turn?.end();
    await t.throwsAsync(rollback, { code: 'ERR_NONE' });
    if (ending === undefined) t.is(lifecycle.sequence, undefined, taken);
    else t.is(await ended, `${ending} of mine`, taken);
  }
});

test('of several rollbacks that fail behind a reset the last one has the machine reboot', async (t) => {
  const { events, lifecycle, ended, quiet } = machine();
  quiet.resolve();
  const reset = lifecycle.sequences.enter('reset');
  const first = lifecycle.alone('rollback', failed, 'first');
  const second = lifecycle.alone('rollback', failed, 'second');
  reset.end();
  await t.throwsAsync(first, { code: 'ERR_LIFECYCLE_CANCELED' });
  await t.throwsAsync(second, { code: 'ERR_NONE' });
  t.is(await ended, 'reboot of second');
  t.is(wordsOf(events).filter((words) => words === 'reboot start').length, 1);
});

test('a shutdown that waits says on the console for what', async (t) => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
  const clock = new FakeClock();
  const { lifecycle, ended, quiet } = machine({ log, clock });
  lifecycle.begin('shutdown', { takesOver: false });
  while (clock.sleepers === 0) await setImmediate();
  await setImmediate();
  clock.advance(5000);
  while (!lines.some((line) => line.includes('a phase goes on'))) await setImmediate();
  const { phase, seconds, waitsFor } = JSON.parse(lines.at(-1)!);
  t.deepEqual(
    { phase, seconds, waitsFor },
    { phase: 'denyNewServices', seconds: 5, waitsFor: ['the captures of callers'] },
  );
  quiet.resolve();
  await ended;
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
