import type { ExecutionContext } from 'ava';

import { type FakeNode, type FakeNodeOptions, startFakeNode } from './fake-node.ts';

const seconds = 1_000_000n;

/** A node that answers all that a dashboard asks. Its name and what it says are in every text of it. */
export async function startDashboardNode(
  t: ExecutionContext,
  hostname: string,
  options: FakeNodeOptions = {},
): Promise<FakeNode> {
  let asked = 0;
  return await startFakeNode(t, {
    version: { hostname, version: 'v1.14.0', kernel: '6.12.48' },
    specs: {
      'MachineStatuses.runtime.nodecore.dev': {
        machine: { stage: 'running', status: { ready: true, unmetConditions: [] } },
      },
    },
    counters: {
      memory: (_call, answer) =>
        answer(null, {
          values: [
            { name: 'MemTotal', value: 4000n, unit: 'kB' },
            { name: 'MemAvailable', value: 1000n, unit: 'kB' },
          ],
        }),
      // A second passes between two readings, and half of it is work.
      systemStat: (_call, answer) => {
        asked += 1;
        const times = { name: 'cpu', user: asked * 0.5, idle: asked * 0.5 };
        answer(null, { total: times, processors: [{ ...times, name: 'cpu0' }] });
      },
      loadAvg: (_call, answer) => answer(null, { load1: 0.25, load5: 0.5, load15: 1 }),
      networkDeviceStats: (_call, answer) => answer(null, { total: {}, devices: [{ name: 'eth0' }] }),
      diskStats: (_call, answer) => answer(null, { total: {}, devices: [{ name: 'vda' }] }),
    },
    processes: {
      processes: (call) => {
        const processes = Array.from({ length: 50 }, (_, at) => ({
          pid: at + 1,
          state: 'S',
          executable: `/bin/${hostname}-${at + 1}`,
        }));
        call.write({ processes, complete: true, clockMicros: 3661n * seconds });
        call.end();
      },
    },
    cgroups: {
      pressure: (call) => {
        call.write({ system: { cpu: { some: { avg10: 12.5 } } }, total: 1 });
        call.end();
      },
    },
    services: { serviceList: (_call, answer) => answer(null, { services: [] }) },
    kernelLog: {
      dmesg: (call) => {
        const message = `the kernel of ${hostname} speaks\u001b[2J\u0007`;
        const known = call.request.bootId === 'b' ? [] : [{ sequence: 1n, priority: 'info', message }];
        call.write({ records: known, bootId: 'b', lastSequence: 1n });
        call.end();
      },
    },
    ...options,
  });
}
