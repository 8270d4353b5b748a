import { type Json, Store } from '@nodecore/state';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';
import { pino } from 'pino';

import { configured, everything } from '../src/applied/applied-controller.ts';
import { InitChannel } from '../src/init/init-channel.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { watchdogTimerConfigs, watchdogTimerStatuses } from '../src/watchdog/definitions.ts';
import { watchdogController, type WatchdogParts } from '../src/watchdog/watchdog.ts';
import { runControllers, until } from './controllers.ts';
import { initPair } from './init-pair.ts';

type Access = Parameters<ReturnType<typeof watchdogController>['reconcile']>[1];

const want = (store: Store, spec: Json): void =>
  store.replace(kindOf(watchdogTimerConfigs), new Map([[configured, spec]]), 'test');
const timer = { device: '/dev/watchdog0', timeoutSeconds: 60 };

test('PID 1 is asked for the watchdog, and for none when the document goes', async (t) => {
  const asked: string[] = [];
  const init: WatchdogParts['init'] = {
    askWatchdog: (message) => {
      asked.push(message);
      return Promise.resolve(message === 'watchdog off' ? 'off' : '/dev/watchdog0 64');
    },
  };
  const store = new Store();
  runControllers(t, store, watchdogController({ init }));
  want(store, timer);
  const [status] = await until(store, kindOf(watchdogTimerStatuses), ({ length }) => length === 1);
  t.deepEqual(status?.spec, { device: '/dev/watchdog0', timeoutSeconds: 64 });
  want(store, {});
  await until(store, kindOf(watchdogTimerStatuses), ({ length }) => length === 0);
  t.deepEqual(asked, ['watchdog /dev/watchdog0 60', 'watchdog off']);
});

test('until a configuration has spoken PID 1 keeps what guards the start', async (t) => {
  const asked: string[] = [];
  const init: WatchdogParts['init'] = {
    askWatchdog: (message) => {
      asked.push(message);
      return Promise.resolve('off');
    },
  };
  const controller = watchdogController({ init });
  const access = { list: () => Promise.resolve([]), replace: () => Promise.resolve() };
  await controller.reconcile(everything, access as unknown as Access, new AbortController().signal);
  t.deepEqual(asked, []);
});

test('a watchdog that is not there, and a PID 1 that has none, are reasons', async (t) => {
  for (const [init, error] of [
    [{ askWatchdog: () => Promise.resolve('error ENOENT') }, 'ENOENT'],
    [undefined, 'PID 1 of this machine feeds no watchdog'],
  ] as const) {
    const store = new Store();
    runControllers(t, store, watchdogController({ init }));
    want(store, timer);
    const [status] = await until(store, kindOf(watchdogTimerStatuses), ({ length }) => length === 1);
    t.deepEqual(status?.spec, { device: '/dev/watchdog0', error });
  }
});

test('the answer of PID 1 is heard on its channel, and is no request', async (t) => {
  const pair = initPair(t);
  const [clock, stop] = [new FakeClock(), new AbortController()];
  const channel = new InitChannel(pair.fd, pino({ level: 'silent' }));
  const answer = channel.askWatchdog('watchdog /dev/watchdog0 60', stop.signal);
  t.deepEqual(pair.heard(), ['watchdog /dev/watchdog0 60']);
  pair.ask('watchdog /dev/watchdog0 64');
  const alive = channel.keepAlive(clock, stop.signal);
  t.is(await answer, '/dev/watchdog0 64');
  stop.abort();
  await alive;
});
