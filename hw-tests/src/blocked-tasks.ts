import type { Runner } from './runner.ts';

/** What the kernel inside says of tasks that wait for it, and the last it has said at all; why not, where nothing answers. */
export async function blockedTasks(machine: Runner, patienceMs = 15_000): Promise<string> {
  // Sysrq w (Documentation/admin-guide/sysrq.rst) has each such task and its stack written to the kernel's log.
  const argv = ['sh', '-c', 'echo w > /proc/sysrq-trigger; dmesg | tail --lines 120'] as const;
  try {
    const { stdout } = await machine.run(argv, { signal: AbortSignal.timeout(patienceMs) });
    return `the kernel of ${machine.name} at last:\n${stdout.toString().trimEnd()}`;
  } catch (error) {
    return `${machine.name} says nothing of its tasks: ${String(error)}`;
  }
}
