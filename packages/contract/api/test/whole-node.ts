import type { KernelLogRecord } from '../gen/nodecore-v1.js';
import type { ServiceInfo } from '../gen/nodecore-v1.js';

import type { NodeModel } from '../src/dashboard/model.ts';
import type { Sampled } from '../src/readings/process-samples.ts';

const second = 1_000_000n;

function record(sequence: bigint, priority: string, message: string): KernelLogRecord {
  const clockMicros = 93_784n * second + sequence * 1500n;
  return { sequence, clockMicros, timeMicros: 0n, facility: 'kern', priority, message };
}

function service(id: string, state: string, lastMessage?: string): ServiceInfo {
  const health = { unknown: lastMessage === undefined, healthy: false, lastMessage: lastMessage ?? '' };
  return {
    id,
    state,
    events: [],
    health: { ...health, lastChangeMillis: 0n },
    pid: 0,
    restarts: 0,
    operations: [],
  };
}

function someProcess(pid: number, command: string, cpuPercent: number): Sampled {
  return {
    pid,
    ppid: 1,
    state: 'S',
    threads: 4,
    cpuTime: 1,
    virtualMemory: 0n,
    residentMemory: BigInt(pid) * 1_000_000n,
    command,
    executable: `/usr/bin/${command}`,
    args: [command, '--all'],
    label: '',
    uid: 0,
    startMicros: 0n,
    kernelThread: false,
    cgroup: '/',
    nice: 0,
    cpuPercent,
  };
}

const line = (avg10: number) => ({ avg10, avg60: 0, avg300: 0, totalMicros: 0n });

/** A node of which everything is known. */
export const wholeNode: NodeModel = {
  name: '10.0.0.5',
  answeredMs: 100_000,
  version: {
    hostname: 'node-a',
    version: 'v1.14.0',
    revision: '',
    built: '',
    runtime: '',
    os: 'linux',
    arch: 'x64',
    kernel: '6.12.48',
    maintenance: false,
  },
  processor: {
    value: {
      count: 2,
      percent: 42.5,
      each: [
        { name: 'cpu0', percent: 75 },
        { name: 'cpu1', percent: 10 },
      ],
    },
  },
  memory: { value: { totalBytes: 8_000_000_000n, usedBytes: 2_000_000_000n } },
  load: { value: { load1: 0.5, load5: 0.25, load15: 0.1 } },
  network: {
    value: [
      { name: '', into: 1_500_000, out: 20_000 },
      { name: 'eth0', into: 1_499_000, out: 20_000 },
      { name: 'eth1', into: 1000, out: 0 },
    ],
  },
  disks: {
    value: [
      { name: '', into: 0, out: 4_200_000 },
      { name: 'vda', into: 0, out: 4_200_000 },
    ],
  },
  pressure: {
    value: {
      system: {
        cpu: { some: line(1.5) },
        memory: { some: line(0), full: line(0) },
        io: { some: line(7.25), full: line(3) },
      },
      cgroups: [
        { path: '/system/etcd', pressure: { io: { some: line(7.25), full: line(6) } } },
        {
          path: `/pods/${'a'.repeat(64)}`,
          name: { kind: 'container', name: 'shop/web', id: 'a', runtime: '' },
          pressure: { cpu: { some: line(1.5) } },
        },
      ],
      total: 9,
    },
  },
  activity: {
    value: {
      uptimeMs: 93_784_000,
      processes: Array.from({ length: 40 }, (_, index) =>
        someProcess(100 + index, `program-${index}`, index / 2),
      ),
    },
  },
  machine: {
    value: {
      stage: 'running',
      ready: false,
      unmet: [{ name: 'volumes', reason: 'EPHEMERAL is waiting: no disk matches' }],
    },
  },
  volumes: {
    value: [
      volume('STATE', 100_000_000n, 10_000_000n),
      volume('EPHEMERAL', 50_000_000_000n, 40_000_000_000n),
    ],
  },
  services: {
    value: [
      service('etcd', 'Running', 'no leader'),
      service('syslogd', 'Running'),
      service('ext-x', 'Failed'),
    ],
  },
  log: {
    value: Array.from({ length: 30 }, (_, index) =>
      record(BigInt(index), index === 29 ? 'err' : 'info', `what the kernel says, line ${index + 1}`),
    ),
  },
  histories: {
    processor: [undefined, 10, 20, 80, 42.5],
    memory: [0.2, 0.2, 0.25],
    received: [0, 750_000, 1_500_000],
    sent: [20_000],
    read: [0, 0],
    written: [4_200_000, 0, 4_200_000],
  },
};

function volume(name: string, sizeBytes: bigint, usedBytes: bigint) {
  const rest = {
    source: '',
    target: `/var/${name.toLowerCase()}`,
    filesystem: 'xfs',
    inodes: 0n,
    inodesFree: 0n,
  };
  return { volume: name, ...rest, sizeBytes, usedBytes, availableBytes: sizeBytes - usedBytes, error: '' };
}
