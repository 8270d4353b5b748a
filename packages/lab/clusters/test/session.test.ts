import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { identityOf, isRunning, killExactly } from '@nodecore/sys';
import test from 'ava';

import { endSession } from '../src/keeper/session.ts';

/** A leader that has begun one program in its session and one in another, which both say their ids. */
const script = `
sh -c 'echo $$; exec sleep 1000' &
setsid sh -c 'echo $$; exec sleep 1000' &
wait`;

test('what a leader that was killed has begun in its session ends, and nothing else', async (t) => {
  const child = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const leader = identityOf(child.pid ?? 0);
  if (leader === undefined) throw new Error('it ended at once');
  const members = [];
  for await (const line of createInterface(child.stdout)) {
    members.push(identityOf(Number(line)));
    if (members.length === 2) break;
  }
  const sessions = members.flatMap((member) => member ?? []);
  t.teardown(() => sessions.forEach(killExactly));
  t.is(sessions.length, 2);

  await endSession(leader);
  t.deepEqual([leader, ...sessions].map(isRunning), [true, true, true], 'as long as the leader runs');

  child.kill('SIGKILL');
  await once(child, 'exit');
  await endSession(leader);
  t.is(sessions.filter(isRunning).length, 1);
});
