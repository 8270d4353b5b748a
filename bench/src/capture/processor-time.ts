import { readdir, readFile } from 'node:fs/promises';

/** Nanoseconds on a processor of all threads of a process, from /proc/PID/task/TID/schedstat. */
export async function processorNs(pid: number): Promise<number> {
  const tasks = await readdir(`/proc/${pid}/task`);
  const texts = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/schedstat`, 'utf8').catch(() => '0')),
  );
  return texts.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0);
}
