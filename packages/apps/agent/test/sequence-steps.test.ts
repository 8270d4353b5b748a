import { setImmediate } from 'node:timers/promises';

import type { Controller } from '@nodecore/runtime';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import { aborted } from '@nodecore/waiting';
import test from 'ava';
import { pino } from 'pino';

import { feature } from '../src/supervisor/feature.ts';
import { type Step, Supervisor } from '../src/supervisor/supervisor.ts';

const log = pino({ level: 'silent' });

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

test('a phase that takes long says on the console what it waits for, and nothing when it is over', async (t) => {
  const lines: { phase: string; seconds: number; waitsFor: string[] }[] = [];
  const console = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const clock = new FakeClock();
  const [quiet, over, closed] = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const slow = feature({
    name: 'slow',
    make: () => ({
      handle: undefined,
      quiesce: () => quiet!.promise,
      run: () => over!.promise,
      close: () => closed!.promise,
    }),
  });
  const item = Promise.withResolvers<void>();
  const controller: Controller = {
    name: 'stuck-controller',
    inputs: [],
    outputs: [],
    outside: async (wake, signal) => {
      wake('one');
      await aborted(signal);
    },
    reconcile: () => item.promise,
  };
  const stuck = feature({ name: 'stuck', make: () => ({ handle: undefined, controllers: [controller] }) });
  const idle = feature({ name: 'idle', make: () => ({ handle: undefined, quiesce: done, close: done }) });
  const supervisor = new Supervisor([slow, stuck, idle], { log: console, clock });
  await supervisor.start();
  const told = async (): Promise<string[]> => {
    const from = lines.length;
    clock.advance(5000);
    while (lines.length === from) await setImmediate();
    return lines
      .slice(from)
      .map(({ phase, seconds, waitsFor }) => `${phase} ${seconds} s: ${waitsFor.join(', ')}`);
  };
  const halted = supervisor.halt({ unmount: true });
  await setImmediate();
  t.deepEqual(await told(), ['stopServices 5 s: slow']);
  t.deepEqual(await told(), ['stopServices 10 s: slow']);
  quiet!.resolve();
  await setImmediate();
  t.deepEqual(await told(), ['stopControllers 5 s: controllers, slow, stuck-controller']);
  over!.resolve();
  await setImmediate();
  t.deepEqual(await told(), ['stopControllers 10 s: controllers, stuck-controller']);
  item.resolve();
  await setImmediate();
  await setImmediate();
  t.deepEqual(await told(), ['stopEverything 5 s: slow']);
  closed!.resolve();
  await halted;
  t.is(clock.sleepers, 0);
  t.is(lines.length, 5);
});
