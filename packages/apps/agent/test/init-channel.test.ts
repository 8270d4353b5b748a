import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';

import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';
import { pino } from 'pino';

import { InitChannel } from '../src/init/init-channel.ts';
import { initPair } from './init-pair.ts';

const log = pino({ level: 'silent' });

test('PID 1 hears every five seconds that the loop turns, and once what is said', async (t) => {
  const init = initPair(t);
  const clock = new FakeClock();
  const stop = new AbortController();
  const channel = new InitChannel(init.fd, log);
  const alive = channel.keepAlive(clock, stop.signal);
  for (let second = 0; second < 10; second += 1) {
    clock.advance(1000);
    await setImmediate();
  }
  t.deepEqual(init.heard(), ['alive', 'alive', 'alive']);
  t.true(channel.say('reboot'));
  t.deepEqual(init.heard(), ['reboot']);
  stop.abort();
  await alive;
});

test('what PID 1 asks comes whole and in order, and what is unknown is not taken for something else', async (t) => {
  const init = initPair(t);
  const clock = new FakeClock();
  const stop = new AbortController();
  const channel = new InitChannel(init.fd, log);
  for (const message of ['power-button', 'halt-and-catch-fire', 'ctrl-alt-del']) init.ask(message);
  const alive = channel.keepAlive(clock, stop.signal);
  const asked = channel.asked(stop.signal);
  t.is((await asked.next()).value, 'power-button');
  t.is((await asked.next()).value, 'ctrl-alt-del');
  stop.abort();
  t.true((await asked.next()).done);
  await alive;
});

test('a PID 1 that is gone is told, and ends nothing', async (t) => {
  const init = initPair(t);
  const channel = new InitChannel(init.fd, log);
  init.close();
  t.false(channel.say('alive'));
});

test('without PID 1 there is no channel, and a child inherits neither descriptor nor variable', async (t) => {
  t.is(InitChannel.inherited(log, {}), undefined);
  t.is(InitChannel.inherited(log, { NODECORE_INIT_FD: '3; reboot' }), undefined);
  t.is(InitChannel.inherited(log, { NODECORE_INIT_FD: '9999' }), undefined);
  const init = initPair(t);
  const environment: NodeJS.ProcessEnv = {
    NODECORE_INIT_FD: String(init.fd),
    NODECORE_FORMER_END: 'ended with 3',
  };
  const channel = InitChannel.inherited(log, environment);
  t.deepEqual(environment, {});
  t.is(channel?.takeFormerEnd(), 'ended with 3');
  t.is(channel?.takeFormerEnd(), undefined, 'once');
  const child = spawn('test', ['-e', `/proc/self/fd/${init.fd}`], { stdio: 'ignore' });
  t.deepEqual(await once(child, 'exit'), [1, null]);
});
