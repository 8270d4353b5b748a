import { FakeClock } from '@nodecore/testkit/fake-clock';
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
