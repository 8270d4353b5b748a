import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { program, root, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { type ProcessFacts, readProcesses } from '../src/index.ts';

/** Processes that do nothing, in a PID namespace of their own, and what ps says of them. */
const scene = String.raw`
sleep 1000 &
nice -n 5 sleep 1001 &
sleep 1002 & kill -STOP $!
setpriv --reuid 65534 --clear-groups sleep 1003 &
sh -c 'printf "a\033[2J) R 1\nb" > /proc/self/comm; kill -STOP $$' "$(printf 'x\ny\033[2J')" &
sh -c 'sleep 0 & exec sleep 1004' &
sh -c 'while :; do sleep 1005; done' &
until [ "$(ps -eo state=,args= | grep -c '^[STZ] .*\(sleep\|while\|printf\)')" -ge 8 ] && [ "$(ps -eo state= | grep -c T)" = 2 ] && [ "$(ps -eo state= | grep -c Z)" = 1 ]; do :; done
ps -eo pid=,ppid=,state=,nlwp=,vsz=,rss=,euid=,ni=,cputimes=,comm=
echo END
read -r end
`;

async function started(
  t: ExecutionContext,
): Promise<{ readonly child: ChildProcess; readonly ps: string[] }> {
  const child = spawn('unshare', ['--pid', '--fork', '--mount-proc', '--kill-child', 'sh', '-c', scene], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.teardown(async () => {
    child.stdin.end('\n');
    if (child.exitCode === null) await once(child, 'exit');
  });
  const ps: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'END') break;
    ps.push(line);
  }
  return { child, ps };
}

/** The first process of the namespace, which is the only child of unshare. */
async function firstOf(child: ChildProcess): Promise<number> {
  const all = (await readProcesses()).toArray();
  return all.find(({ ppid }) => ppid === child.pid)!.pid;
}

function rowOf(facts: ProcessFacts): string {
  const { pid, ppid, state, threads, virtualBytes, residentBytes, uid, nice, cpuSeconds } = facts;
  const numbers = [virtualBytes / 1024, residentBytes / 1024, uid, nice, Math.floor(cpuSeconds)];
  return [pid, ppid, state, threads, ...numbers].join(' ');
}

testWith(
  root,
  program('ps'),
  program('unshare'),
  program('setpriv'),
)('processes are those of ps, in every state, with the same numbers', async (t) => {
  const { child, ps } = await started(t);
  const found = (await readProcesses({ directory: `/proc/${await firstOf(child)}/root/proc` })).toArray();
  // The shell that waits, and ps itself, were at work.
  const isIdle = (pid: number): boolean => pid !== 1 && found.some((each) => each.pid === pid);
  const theirs = ps
    .map((line) => line.trim().split(/\s+/u))
    .filter(([pid]) => isIdle(Number(pid)))
    .map((words) => words.slice(0, 9).join(' '));
  t.deepEqual(found.filter(({ pid }) => pid !== 1).map(rowOf), theirs);
  t.true(theirs.length >= 8, ps.join('\n'));

  const hostile = found.find(({ command }) => command.startsWith('a\u001b'));
  t.is(hostile?.command, 'a\u001b[2J) R 1\nb');
  t.is(hostile?.state, 'T');
  t.is(hostile?.args.at(-1), 'x\ny\u001b[2J');
  const zombie = found.find(({ state }) => state === 'Z');
  t.like(zombie, { args: [], executable: '', command: 'sleep', residentBytes: 0 });
  t.is(found.find(({ uid }) => uid === 65_534)?.args[1], '1003');
  t.true(found.every(({ isKernelThread }) => !isKernelThread));
});

testWith(root, program('ps'))('threads of the kernel are there, and are no programs', async (t) => {
  const all = (await readProcesses()).toArray();
  const threads = all.filter(({ isKernelThread }) => isKernelThread);
  t.true(threads.length > 10);
  t.true(
    threads.every(
      ({ args, executable, residentBytes }) => args.length === 0 && executable === '' && residentBytes === 0,
    ),
  );
  t.is(threads.find(({ pid }) => pid === 2)?.command, 'kthreadd');
  t.true(threads.every(({ pid, ppid }) => pid === 2 || ppid === 2));
  t.like(
    all.find(({ pid }) => pid === process.pid),
    { isKernelThread: false, executable: process.execPath },
  );
});

testWith(root, program('sh'))('what ends while it is read is left out, and nothing else is', async (t) => {
  const churn = spawn('sh', ['-c', 'while :; do /bin/true & /bin/true; done'], {
    detached: true,
    stdio: 'ignore',
  });
  t.teardown(async () => {
    const ended = once(churn, 'exit');
    process.kill(-churn.pid!, 'SIGKILL');
    await ended;
  });
  for (let count = 0; count < 40; count += 1) {
    const all = (await readProcesses()).toArray();
    const pids = all.map(({ pid }) => pid);
    t.is(new Set(pids).size, pids.length);
    t.true(pids.includes(process.pid) && pids.includes(churn.pid!));
    t.deepEqual(
      all.filter(({ state, command, threads }) => state === '' || command === '' || threads < 1),
      [],
    );
  }
});
