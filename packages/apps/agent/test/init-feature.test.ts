import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';
import { pino } from 'pino';

import { EventLog } from '../src/events/event-log.ts';
import { eventLog } from '../src/events/feature.ts';
import { init } from '../src/init/feature.ts';
import { InitChannel } from '../src/init/init-channel.ts';
import { node } from '../src/node.ts';
import { initPair } from './init-pair.ts';

test('an agent that PID 1 has started again says in an event why, once', async (t) => {
  const log = pino({ level: 'silent' });
  const events = new EventLog({ clock: new FakeClock(), bootId: 'boot' });
  const channel = new InitChannel(initPair(t).fd, log, 'was ended because it was silent for 40 s');
  const life = init.make((needed) => {
    if (needed === eventLog) return events;
    return needed === node ? { options: { init: channel }, log } : { begin: () => t.fail() };
  });
  const over = AbortSignal.abort();
  await life.run?.(over);
  await life.run?.(over); // anew after a reset, in the same process
  t.deepEqual(
    events.from(events.placeOf({ tail: -1 })).events.map(({ data }) => data),
    [
      {
        type: 'service',
        service: 'agent',
        action: 'failed',
        message: 'the agent was ended because it was silent for 40 s, and PID 1 has started it again',
      },
    ],
  );
});
