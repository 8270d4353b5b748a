import type { CgroupClass, CgroupReading, Classify, Observation } from '@nodecore/pressure-policy';

import type { CgroupNode } from './node.ts';
import { readPressure } from './pressure/read.ts';
import type { CgroupReader } from './reader.ts';

const files: readonly string[] = [
  'cgroup.events',
  'memory.current',
  'memory.peak',
  'memory.max',
  'memory.swap.current',
  'cpu.pressure',
  'memory.pressure',
  'io.pressure',
];

/** Reads what a policy decides on: the machine's pressure, and the cgroups that have a class. */
export async function observe(
  reader: CgroupReader,
  rules: { readonly candidates: Classify; readonly wholes: Classify },
  options: { readonly signal?: AbortSignal } = {},
): Promise<Observation> {
  const machine = await readPressure('system', options);
  const takenNs = process.hrtime.bigint();
  const tree = await reader.read({ files, ...options });
  const of = (classify: Classify): (CgroupReading & { readonly class: CgroupClass })[] =>
    tree.nodes.flatMap((node) => {
      const found = classify(node.path);
      return found === undefined ? [] : { ...readingOf(node), class: found };
    });
  return { takenNs, machine, cgroups: of(rules.candidates), wholes: of(rules.wholes) };
}

/** Whether the cgroup by a path is still the one that was read. */
export async function isSame(reader: CgroupReader, { path, id }: CgroupReading): Promise<boolean> {
  // Not without a file: only its ENODEV shows that one went and another came.
  return (await reader.read({ files: ['cgroup.events'] })).find(path)?.id === id;
}

function readingOf(node: CgroupNode): CgroupReading {
  const { memory, cgroup, pressure } = node;
  return {
    id: node.id,
    path: node.path,
    takenNs: node.takenNs,
    populated: cgroup.events?.get('populated') === 1,
    frozen: cgroup.events?.get('frozen') === 1,
    memoryCurrent: memory.current,
    memoryPeak: memory.peak,
    memoryMax: memory.max,
    memorySwapCurrent: memory.swap.current,
    pressure,
  };
}
