import { availableParallelism, cpus, release, totalmem } from 'node:os';

/** Where a measurement was taken. Absolute numbers mean nothing without it. */
export type MachineFacts = {
  readonly kernel: string;
  readonly cpu: string;
  readonly cpus: number;
  readonly memoryMib: number;
  readonly node: string;
  readonly date: string;
};

export function machineFacts(): MachineFacts {
  return {
    kernel: release(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cpus: availableParallelism(),
    memoryMib: Math.round(totalmem() / (1 << 20)),
    node: process.version,
    date: new Date().toISOString().slice(0, 10),
  };
}
