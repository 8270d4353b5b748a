import { program, root, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import type { Seccomp } from '../src/program.ts';
import { printedBy, scene, until } from './supervised.ts';

/** capabilities(7) */
const sysBoot = 1n << 22n;

testWith(root)('a confined program has no more rights than it is given, and gets none back', async (t) => {
  const one = await scene(t);
  const argv = ['/bin/sh', '-c', 'grep -E "^(CapBnd|CapEff|NoNewPrivs):" /proc/self/status'] as const;
  const confinement = ['--no-new-privs', '--bounding-set=-sys_boot'];
  await one.supervisor.define({ id: 'a', program: { argv, confinement }, restart: 'once' });
  await until(one, 'a', ({ state }) => state === 'Finished' || state === 'Failed');
  const printed = await printedBy(one, 'a');
  const [, effective = ''] = /^CapEff:\s(\w+)$/mu.exec(printed) ?? [];
  const [, bounding = ''] = /^CapBnd:\s(\w+)$/mu.exec(printed) ?? [];
  t.regex(printed, /^NoNewPrivs:\s1$/mu);
  for (const rights of [effective, bounding]) {
    t.is(BigInt(`0x${rights}`) & sysBoot, 0n, printed);
    t.not(BigInt(`0x${rights}`), 0n, printed);
  }
});

/** Calls that do nothing, with arguments that the kernel takes from nobody: their names, arguments and who may not ask for them. */
const calls: readonly (readonly [name: string, args: string, refusedTo: 'both' | 'service'])[] = [
  ['reboot', '0, 0, 0, 0', 'both'],
  ['kexec_load', '0, 0, 0, 0xffff', 'both'],
  ['init_module', '0, 0, 0', 'both'],
  ['swapon', '0, 0', 'both'],
  ['userfaultfd', '0xffff', 'both'],
  ['ptrace', '0x4200, 0, 0, 0', 'service'],
  ['bpf', '0xffff, 0, 0', 'service'],
  ['keyctl', '0xffff, 0, 0, 0, 0', 'service'],
  ['perf_event_open', '0, 0, 0, 0, 0', 'service'],
  ['mount', '0, 0, 0, 0, 0', 'service'],
  ['unshare', '0', 'service'],
];

/** Numbers of the calls on x86_64, and what arm64 has in their place. */
const numbers: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  reboot: [169, 142],
  kexec_load: [246, 104],
  init_module: [175, 105],
  swapon: [167, 224],
  userfaultfd: [323, 282],
  ptrace: [101, 117],
  bpf: [321, 280],
  keyctl: [250, 219],
  perf_event_open: [298, 241],
  mount: [165, 40],
  unshare: [272, 97],
};
const [ePerm, sigSys] = [1, 31];

/** What a Python program with libc prints that is confined so. */
async function printedWith(t: ExecutionContext, seccomp: Seccomp | undefined, lines: readonly string[]) {
  const one = await scene(t);
  const text = ['import ctypes', 'c = ctypes.CDLL(None, use_errno=True)', ...lines].join('\n');
  const argv = ['python3', '-c', text] as const;
  await one.supervisor.define({ id: 'a', program: { argv, ...(seccomp && { seccomp }) }, restart: 'once' });
  const status = await until(one, 'a', ({ state }) => state === 'Finished' || state === 'Failed');
  return { printed: await printedBy(one, 'a'), status };
}

/** The errno of each call, by its name; 0 where it succeeds. */
async function outcomes(t: ExecutionContext, seccomp?: Seccomp): Promise<ReadonlyMap<string, number>> {
  const lines = calls.map(([name, args]) => {
    const number = numbers[name]?.[process.arch === 'x64' ? 0 : 1];
    return `print("${name}", ctypes.get_errno() if c.syscall(${number}, ${args}) < 0 else 0, flush=True)`;
  });
  const { printed } = await printedWith(t, seccomp, lines);
  return new Map(
    Array.from(printed.matchAll(/^(\w+) (\d+)$/gmu), ([, name = '', errno]) => [name, Number(errno)]),
  );
}

testWith(root, program('python3'))(
  'a service is refused what none needs of the kernel, and an extension less',
  async (t) => {
    const [free, service, extension] = await Promise.all([
      outcomes(t),
      outcomes(t, 'service'),
      outcomes(t, 'extension'),
    ]);
    t.is(free.size, calls.length);
    for (const [name, , refusedTo] of calls) {
      t.not(free.get(name), ePerm, `${name} is refused by the filter alone`);
      t.is(service.get(name), ePerm, name);
      t.is(extension.get(name), refusedTo === 'both' ? ePerm : free.get(name), name);
    }
  },
);

testWith(root, program('python3'))(
  'what a refused program starts is refused as well, and its numbers are no way around',
  async (t) => {
    const status = await printedWith(t, 'service', [
      'import subprocess',
      'subprocess.run(["sh", "-c", "grep -E \'^(Seccomp|NoNewPrivs):\' /proc/self/status; unshare --mount true || echo refused"])',
    ]);
    t.regex(status.printed, /^NoNewPrivs:\s1$/mu);
    t.regex(status.printed, /^Seccomp:\s2$/mu);
    t.regex(status.printed, /^refused$/mu);
    // getpid(2) with a bit that makes it a call of another architecture.
    const other = await printedWith(t, 'extension', [
      'print(1, flush=True)',
      'c.syscall(0x80000000 + 39)',
      'print(2)',
    ]);
    t.is(other.printed, '1\n');
    t.true(
      other.status.events.some(({ message }) => message.includes(String(sigSys))),
      JSON.stringify(other.status),
    );
  },
);
