import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

import { identityOf, isRunning } from '@nodecore/sys';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test, { type ExecutionContext } from 'ava';

import { Supervisor } from '../src/index.ts';
import { printedBy, scene, until } from './supervised.ts';

const forever = ['sh', '-c', 'echo ready; exec sleep 1000'] as const;
const index = new URL('../src/index.ts', import.meta.url).href;

/** Another process that has the services of a directory, until it is killed. @returns the process of its service `a`. */
async function ownerOf(t: ExecutionContext, directory: string, tethered: boolean) {
  const script = `import { Supervisor } from ${JSON.stringify(index)};
    const services = await Supervisor.open({ directory: ${JSON.stringify(directory)}, tethered: ${tethered} });
    const service = await services.define({ id: 'a', program: { argv: ${JSON.stringify(forever)} } });
    while (service.status.pid === undefined) await services.changed.next();
    console.log(service.status.pid);
    setInterval(() => {}, 1e6);`;
  const owner = spawn(process.execPath, ['--conditions=source', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => owner.kill('SIGKILL'));
  const [line] = (await once(createInterface(owner.stdout), 'line')) as [string];
  return { owner, identity: identityOf(Number(line))! };
}

async function kill(owner: ReturnType<typeof spawn>): Promise<void> {
  const gone = once(owner, 'exit');
  owner.kill('SIGKILL');
  await gone;
}

test('a service goes on when its supervisor is killed, with the same process, and its log, too', async (t) => {
  const { directory } = await scene(t, { tethered: true }).then(async (first) => {
    await first.supervisor[Symbol.asyncDispose]();
    return first;
  });
  const { owner, identity } = await ownerOf(t, directory, false);
  await kill(owner);
  t.true(isRunning(identity));
  const next = await scene(t, { directory, tethered: false });
  t.deepEqual(
    next.supervisor.list.map(({ id, state, pid }) => ({ id, state, pid })),
    [{ id: 'a', state: 'Running', pid: identity.pid }],
  );
  const service = await next.supervisor.define({ id: 'a', program: { argv: forever } });
  t.is((await until(next, 'a', ({ pid }) => pid !== undefined)).pid, identity.pid);
  t.is(await printedBy(next, 'a'), 'ready\n');
  // What is not the same any more is started anew.
  await next.supervisor.define({ id: 'a', program: { argv: ['sh', '-c', 'echo other; exec sleep 1000'] } });
  const { pid } = await until(
    next,
    'a',
    (status) => status.state === 'Running' && status.pid !== identity.pid,
  );
  t.not(pid, identity.pid);
  t.false(isRunning(identity));
  await service.log.lastLine();
});

test('what a killed supervisor has left with another command line is ended, and begins anew', async (t) => {
  const first = await scene(t);
  await first.supervisor[Symbol.asyncDispose]();
  const { owner, identity } = await ownerOf(t, first.directory, false);
  await kill(owner);
  const next = await scene(t, { directory: first.directory });
  await next.supervisor.define({ id: 'a', program: { argv: ['sh', '-c', 'exec sleep 999'] } });
  await until(next, 'a', ({ state, pid }) => state === 'Running' && pid !== identity.pid);
  t.false(isRunning(identity));
});

test('a tethered service ends with its supervisor', async (t) => {
  const first = await scene(t);
  await first.supervisor[Symbol.asyncDispose]();
  const { owner, identity } = await ownerOf(t, first.directory, true);
  await kill(owner);
  while (isRunning(identity)) await new Promise(setImmediate);
  t.pass();
});

test('two supervisors do not have the same services', async (t) => {
  const { directory } = await scene(t);
  await t.throwsAsync(Supervisor.open({ directory, tethered: true }), { code: 'ERR_SERVICE_BUSY' });
});

test('programs that nobody wants any more are ended', async (t) => {
  const first = await scene(t);
  await first.supervisor[Symbol.asyncDispose]();
  const { owner, identity } = await ownerOf(t, first.directory, false);
  await kill(owner);
  const next = await scene(t, { directory: first.directory });
  await next.supervisor.endUnclaimed();
  t.false(isRunning(identity));
  t.deepEqual(next.supervisor.list, []);
});

test('a service starts when what it needs runs and is healthy, and ends before it', async (t) => {
  const clock = new FakeClock();
  let isHealthy = false;
  const one = await scene(t, { clock });
  await one.supervisor.define({ id: 'b', program: { argv: forever }, needs: ['a'] });
  t.like(await until(one, 'b', ({ state }) => state === 'Waiting'), { events: [{ message: 'for a' }] });
  const probe = async (): Promise<void> => {
    if (!isHealthy) throw new Error('not yet');
  };
  await one.supervisor.define({ id: 'a', program: { argv: forever }, probe });
  await until(one, 'a', ({ state }) => state === 'Running');
  while (clock.sleepers === 0) await new Promise(setImmediate);
  clock.advance(1000);
  t.like(await until(one, 'a', ({ health }) => !health.unknown), {
    health: { healthy: false, lastMessage: 'not yet' },
  });
  t.is(one.supervisor.get('b').status.pid, undefined);
  isHealthy = true;
  while (!one.supervisor.get('a').status.health.healthy) {
    clock.advance(5000);
    await new Promise(setImmediate);
  }
  await until(one, 'b', ({ state }) => state === 'Running');
  await one.supervisor.stop();
  const ends = one.events.filter((event) => event.endsWith('Finished'));
  t.deepEqual(ends, ['b Finished', 'a Finished']);
});

test('a program that ends is started again after a growing delay, which begins anew after a minute', async (t) => {
  const clock = new FakeClock();
  const one = await scene(t, { clock });
  await one.supervisor.define({ id: 'a', program: { argv: ['sh', '-c', 'echo no; exit 3'] } });
  for (const [count, delay] of [1, 2, 4, 8, 16, 30, 30].entries()) {
    const { events } = await until(
      one,
      'a',
      ({ state, restarts }) => state === 'Waiting' && restarts === count + 1,
    );
    t.like(events.at(-1), { message: `to be started again in ${delay} s` });
    t.like(events.at(-2), { state: 'Failed', message: 'ended with code 3: no' });
    while (clock.sleepers === 0) await new Promise(setImmediate);
    clock.advance(delay * 1000);
  }
});

test('a program that runs once is not started again, nor one that has succeeded', async (t) => {
  const one = await scene(t);
  await one.supervisor.define({ id: 'a', program: { argv: ['false'] }, restart: 'once' });
  await one.supervisor.define({ id: 'b', program: { argv: ['true'] }, restart: 'untilSuccess' });
  await until(one, 'a', ({ state }) => state === 'Failed');
  await until(one, 'b', ({ state }) => state === 'Finished');
  await one.supervisor.define({ id: 'c', program: { argv: forever }, needs: ['b'] });
  await until(one, 'c', ({ state }) => state === 'Running');
  t.is(one.supervisor.get('a').status.state, 'Failed');
});

test('one that is not there has failed with its name, and is tried again', async (t) => {
  const clock = new FakeClock();
  const one = await scene(t, { clock });
  await one.supervisor.define({ id: 'a', program: { argv: ['/nonexistent/program'] } });
  const { events } = await until(one, 'a', ({ state }) => state === 'Waiting');
  t.like(events.at(-2), { state: 'Failed', message: '/nonexistent/program is not there' });
});

test('a program that does not listen is killed when its time is over, with all that it has started', async (t) => {
  const one = await scene(t);
  const deaf = `trap '' TERM; (setsid sleep 1000 & echo $!); while :; do sleep 1000; done`;
  await one.supervisor.define({ id: 'a', program: { argv: ['sh', '-c', deaf], graceMs: 50 } });
  let child = '';
  while (!/^\d+\n$/u.test(child)) child = await printedBy(one, 'a').catch(() => '');
  const identity = identityOf(Number(child.trim()))!;
  await one.supervisor.perform('a', 'stop');
  t.false(isRunning(identity));
  t.like(one.supervisor.get('a').status, { state: 'Finished', pid: undefined });
});

test('a program that makes a daemon of itself has ended, and the daemon with it', async (t) => {
  const clock = new FakeClock();
  const one = await scene(t, { clock });
  await one.supervisor.define({ id: 'a', program: { argv: ['sh', '-c', 'setsid sleep 1000 & echo $!'] } });
  await until(one, 'a', ({ state }) => state === 'Waiting');
  const daemon = Number(await printedBy(one, 'a'));
  t.is(identityOf(daemon), undefined);
});

test('a keeper that is killed takes its program along, and the service begins anew', async (t) => {
  const clock = new FakeClock();
  const one = await scene(t, { clock });
  await one.supervisor.define({ id: 'a', program: { argv: forever } });
  const { pid } = await until(one, 'a', ({ state }) => state === 'Running');
  const identity = identityOf(pid!)!;
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, keeper] = /^PPid:\t(\d+)$/mu.exec(status)!;
  process.kill(Number(keeper), 'SIGKILL');
  const { events } = await until(one, 'a', ({ state }) => state === 'Waiting');
  t.like(events.at(-2), { state: 'Failed' });
  t.regex(events.at(-2)!.message, /^ended with its keeper/u);
  t.false(isRunning(identity));
  while (clock.sleepers === 0) await new Promise(setImmediate);
  clock.advance(1000);
  await until(one, 'a', ({ state }) => state === 'Running');
});

test('an operation that a service does not allow is refused, and so is a service that nobody knows', async (t) => {
  const { supervisor } = await scene(t);
  supervisor.claim('a', { restart: async () => {} });
  await t.notThrowsAsync(supervisor.perform('a', 'restart'));
  await t.throwsAsync(supervisor.perform('a', 'stop'), {
    code: 'ERR_SERVICE_OPERATION',
    message: `service "a" doesn't support stop operation via API`,
  });
  await t.throwsAsync(supervisor.perform('x', 'start'), {
    code: 'ERR_SERVICE_NOT_FOUND',
    message: 'service "x" not defined',
  });
  for (const id of ['', '.', '..', '../a', 'a/b', '-a', 'lock\n'])
    t.throws(() => supervisor.claim(id), { code: 'ERR_SERVICE_NAME' });
});

test('services that need each other are refused, and nothing has changed', async (t) => {
  const clock = new FakeClock();
  const { supervisor } = await scene(t, { clock });
  await supervisor.define({ id: 'a', program: { argv: forever }, needs: ['b'] });
  const circle = { id: 'b', program: { argv: forever }, needs: ['a'] } as const;
  await t.throwsAsync(supervisor.define(circle), { code: 'ERR_SERVICE_NEEDS' });
  t.deepEqual(
    supervisor.list.map(({ id }) => id),
    ['a'],
  );
});
