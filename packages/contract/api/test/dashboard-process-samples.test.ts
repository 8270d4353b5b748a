import type { Process } from '../gen/nodecore-v1.js';
import test from 'ava';

import { Samples } from '../src/readings/process-samples.ts';
import { wholeNode } from './whole-node.ts';
import { valueOf } from '../src/dashboard/model.ts';

const [some] = valueOf(wholeNode.activity)!.processes;

function running(startMicros: bigint, cpuTime: number): Process {
  return { ...some!, pid: 7, startMicros, cpuTime };
}

test('the share of a processor is of the time between two samples, and of this process alone', (t) => {
  const samples = new Samples();
  const add = (clockMicros: bigint, ...processes: readonly Process[]): number | undefined =>
    samples.add({ processes: [...processes], complete: true, clockMicros })?.[0]?.cpuPercent;
  samples.add({ processes: [running(1n, 8)], complete: true, clockMicros: 1_000_000n });
  t.is(add(3_000_000n, running(1n, 9)), 50);
  t.is(
    add(5_000_000n, running(4n, 1)),
    50,
    'what the one before had used that had the number is not its own',
  );
});
