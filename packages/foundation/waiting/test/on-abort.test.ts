import test from 'ava';

import { abortable, aborted, onAbort } from '@nodecore/waiting';

import { listeners, settle, stateOf } from './listeners.ts';

const enough = new Error('enough');

test('a listener is called once, with the reason, and is gone then', (t) => {
  const abort = new AbortController();
  const reasons: unknown[] = [];
  const listener = onAbort(abort.signal, (reason) => void reasons.push(reason));
  t.is(listeners(abort.signal), 1);
  t.deepEqual(reasons, []);
  abort.abort(enough);
  abort.abort(new Error('again'));
  t.deepEqual(reasons, [enough]);
  t.is(listeners(abort.signal), 0);
  listener[Symbol.dispose]();
});

test('a signal that has fired already calls the listener at once', (t) => {
  const reasons: unknown[] = [];
  const signal = AbortSignal.abort(enough);
  using _listener = onAbort(signal, (reason) => void reasons.push(reason));
  t.deepEqual(reasons, [enough]);
  t.is(listeners(signal), 0);
});

test('a disposed listener is not called; twice is fine, and no signal never fires', (t) => {
  const abort = new AbortController();
  const listener = onAbort(abort.signal, () => t.fail('was disposed'));
  listener[Symbol.dispose]();
  listener[Symbol.dispose]();
  t.is(listeners(abort.signal), 0);
  abort.abort(enough);
  onAbort(undefined, () => t.fail('there is no signal'))[Symbol.dispose]();
});

test('each of two equal listeners has a disposable of its own', (t) => {
  const abort = new AbortController();
  let calls = 0;
  const count = (): void => void (calls += 1);
  const first = onAbort(abort.signal, count);
  using _second = onAbort(abort.signal, count);
  first[Symbol.dispose]();
  abort.abort(enough);
  t.is(calls, 1);
});

test('aborted resolves when the signal fires, and at once when it has', async (t) => {
  const abort = new AbortController();
  const waiting = aborted(abort.signal);
  t.is(await stateOf(waiting), 'pending');
  abort.abort(enough);
  await waiting;
  await aborted(abort.signal);
  t.is(listeners(abort.signal), 0);
});

test('abortable passes a result and a failure on, and leaves no listener', async (t) => {
  const { signal } = new AbortController();
  t.is(await abortable(Promise.resolve(7), signal), 7);
  t.is(await abortable(Promise.resolve(8)), 8);
  await t.throwsAsync(abortable(Promise.reject(new Error('broken')), signal), { message: 'broken' });
  t.is(listeners(signal), 0);
});

test('abortable rejects with the reason while the work hangs; what comes of it later bothers nobody', async (t) => {
  for (const late of ['result', 'failure'] as const) {
    const abort = new AbortController();
    const work = Promise.withResolvers<number>();
    const waiting = abortable(work.promise, abort.signal);
    t.is(await stateOf(waiting), 'pending');
    abort.abort(enough);
    t.is(await t.throwsAsync(waiting), enough);
    t.is(listeners(abort.signal), 0);
    if (late === 'result') work.resolve(1);
    else work.reject(new Error('an unhandled rejection would end this process'));
    await settle();
  }
});

test('abortable with a signal that has fired gives up even what is done', async (t) => {
  const signal = AbortSignal.abort(enough);
  t.is(await t.throwsAsync(abortable(Promise.resolve(7), signal)), enough);
  t.is(await t.throwsAsync(abortable(Promise.reject(new Error('broken')), signal)), enough);
});
