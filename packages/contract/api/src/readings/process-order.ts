import type { Process } from '../../gen/nodecore-v1.js';
import type { Sampled } from './process-samples.ts';

export type Sort = 'rss' | 'cpu';

/** Most first; of equal ones the lower number. */
export function sorted(processes: readonly Sampled[], sort: Sort): readonly Sampled[] {
  const weight = ({ residentMemory, cpuPercent, cpuTime }: Sampled): number =>
    sort === 'rss' ? Number(residentMemory) : (cpuPercent ?? cpuTime);
  return processes.toSorted((a, b) => weight(b) - weight(a) || a.pid - b.pid);
}

/** The executable with the arguments; what has none by the name that it gives itself. */
export function commandOf({ executable, args, command, kernelThread }: Process): string {
  if (kernelThread) return `[${command}]`;
  const [first = '', ...rest] = args;
  const name = executable === '' ? first : executable;
  return name === '' ? `(${command})` : [name, ...rest].join(' ');
}
