import { setImmediate } from 'node:timers/promises';

import test from 'ava';

import { Sequences } from '../src/lifecycle/sequences.ts';

import { eventsOf, wordsOf } from './event-words.ts';

import { resetNode, resetOrder } from './reset-node.ts';

const entering = (sequences: Sequences) => () => sequences.enter('reset');

test('a reset has phases, and its caller gets its id', async (t) => {
  const events = eventsOf();
  const { resets, done } = resetNode({ enter: entering(new Sequences({ events })) });
  const actors = new Set<string | undefined>();
  for await (const { actorId } of resets.request({ ...resetOrder, reboot: true })) actors.add(actorId);
  await setImmediate();
  await setImmediate();
  t.deepEqual(done, ['leave with STATE', 'halt', 'record STATE', 'wipe', 'reboot']);
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
  const { resets, done } = resetNode({ enter: entering(sequences), halt: () => halted.promise });
  const steps: string[] = [];
  for await (const { step, message = '' } of resets.request({ ...resetOrder, reboot: true })) {
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
  t.deepEqual(done, ['leave with STATE']);
  t.true(wordsOf(events).includes('reset stop canceled'));
});
