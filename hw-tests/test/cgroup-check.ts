import type { Client } from '@nodecore/api';
import type { Cgroup } from '@nodecore/api/cgroup';
import type { ExecutionContext } from 'ava';

import type { RigMachine } from '../src/index.ts';

const files = ['memory.current', 'memory.max', 'memory.stat', 'pids.current', 'cpu.stat', 'cgroup.procs'];

/** What a caller gets of a node where v2 has every controller: the tree, names, and the rates of one that works. */
export async function checkCgroups(t: ExecutionContext, machine: RigMachine, reader: Client): Promise<void> {
  const shell = async (script: string): Promise<string> => {
    const { code, stdout, stderr } = await machine.run(['sh', '-c', script]);
    if (code !== 0) throw new Error(`${script}: ${stderr.toString()}`);
    return stdout.toString();
  };
  const directory = '/sys/fs/cgroup/web.slice';
  await shell(`echo +cpu +memory +pids > /sys/fs/cgroup/cgroup.subtree_control
    mkdir -p ${directory}/a.service
    echo +cpu +memory +pids > ${directory}/cgroup.subtree_control
    echo 64M > ${directory}/a.service/memory.max`);
  const hog = machine.start([
    'sh',
    '-c',
    `echo 0 > ${directory}/a.service/cgroup.procs; while :; do :; done`,
  ]);
  try {
    const what = { files, cgroup: '/web.slice', names: true, processes: true };
    const seen = new Map<string, Cgroup>();
    let samples = 0;
    let rate: number | undefined;
    // Until the one that works has a rate: it may have begun after the first sample.
    for await (const { cgroups, sample } of reader.watchCgroups({ what, intervalMillis: 200 })) {
      for (const cgroup of cgroups?.cgroups ?? []) {
        if (!seen.has(cgroup.path)) seen.set(cgroup.path, cgroup);
        const usage = cgroup.path === '/web.slice/a.service' ? cgroup.files : [];
        const rates = usage.flatMap((file) => (files[file.file] === 'cpu.stat' ? file.rates : []));
        rate = rates.find(({ counter }) => counter === 'usage_usec')?.perSecond ?? rate;
      }
      if (sample !== undefined) samples += 1;
      if (samples > 1 && (rate ?? 0) > 100_000) break;
    }
    t.deepEqual([...seen.keys()], ['/web.slice', '/web.slice/a.service']);
    const service = seen.get('/web.slice/a.service');
    t.like(service?.name, { kind: 'unit', name: 'a.service' });
    const text = (name: string): string =>
      service?.files.find(({ file }) => files[file] === name)?.text ?? '';
    t.is(text('memory.max'), `${64 << 20}\n`);
    const stat = await shell(`cat ${directory}/a.service/memory.stat`);
    t.deepEqual(keysOf(text('memory.stat')), keysOf(stat), 'every line of a file that is longer than most');
    for await (const { cgroups, system } of reader.pressure({ top: 10, names: true })) {
      t.true(cgroups.some(({ path }) => path === '/web.slice/a.service'));
      t.true((system?.memory?.some?.avg10 ?? -1) >= 0);
    }
  } finally {
    hog.kill('SIGKILL');
    await hog.exited.catch(() => {});
    await shell(`echo 1 > ${directory}/cgroup.kill
      until rmdir ${directory}/a.service ${directory} 2> /dev/null; do :; done`);
  }
}

/** The first words of the lines. */
function keysOf(text: string): string[] {
  return text.split('\n').map((line) => line.split(' ')[0] ?? '');
}
