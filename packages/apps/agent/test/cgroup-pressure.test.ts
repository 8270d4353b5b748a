import { type PressureRequest, type PressureResponseInit, PressureSort } from '@nodecore/api/cgroup';
import { CgroupError, type Pressure, type PressureLine } from '@nodecore/cgroup';
import test from 'ava';

import { recentShare, wireReading } from '../src/cgroups/pressure-reading.ts';
import { asleep, calm, cgroupsNode, never } from './cgroups-node.ts';

type Line = readonly [avg10: string, total: number];

function line(kind: string, [avg10, total]: Line): string {
  return `${kind} avg10=${avg10} avg60=1.25 avg300=0.05 total=${total}\n`;
}

function file(some: Line, full = some): string {
  return line('some', some) + line('full', full);
}

function asking(request: Partial<PressureRequest>): PressureRequest {
  return { top: 10, sort: PressureSort.UNSPECIFIED, intervalMillis: 0, names: false, ...request };
}

async function next(stream: AsyncIterator<PressureResponseInit, void>): Promise<PressureResponseInit> {
  const { done, value } = await stream.next();
  if (done === true || value === undefined) throw new Error('the stream has ended');
  return value;
}

function paths({ cgroups = [] }: PressureResponseInit): (string | undefined)[] {
  return cgroups.map(({ path }) => path);
}

const tree = {
  'cpu.pressure': file(['90.00', 9]),
  'a/cpu.pressure': file(['1.00', 100]),
  'a/memory.pressure': file(['30.00', 50], ['12.50', 20]),
  'b/cpu.pressure': file(['20.00', 7]),
  'b/memory.pressure': file(['0.00', 3]),
  'c/cpu.pressure': file(['0.00', 500]),
  'd/cpu.pressure': file(['0.00', 400]),
  'off/cgroup.procs': '',
  'above/cpu.pressure': file(['99.00', 9]),
  'above/below/cpu.pressure': file(['0.00', 1]),
};

test('cgroups that stall most come first, of what was asked, and the root is the system', async (t) => {
  const { cgroups } = await cgroupsNode(t, tree);
  const once = (request: Partial<PressureRequest>): Promise<PressureResponseInit> =>
    next(cgroups.pressure(asking(request), never));
  const all = await once({});
  t.deepEqual(
    paths(all),
    ['/a', '/b', '/c', '/d', '/above/below', '/off'],
    'a parent stalls with its children',
  );
  t.is(all.total, 8);
  t.like(all.cgroups?.[0]?.pressure?.memory, {
    some: { avg10: 30, avg60: 1.25, avg300: 0.05, totalMicros: 50n },
    full: { avg10: 12.5 },
  });
  t.is(all.cgroups?.[0]?.pressure?.memory?.some?.recent, undefined, 'there was no reading before');
  t.is(all.cgroups?.[0]?.pressure?.io, undefined, 'absent, not zero');
  t.deepEqual(all.cgroups?.[5]?.pressure, {});
  t.deepEqual(paths(await once({ sort: PressureSort.CPU, top: 2 })), ['/b', '/a']);
  t.deepEqual(paths(await once({ sort: PressureSort.MEMORY, top: 1 })), ['/a']);
  t.deepEqual((await once({ top: 0 })).cgroups, undefined);
  await t.throwsAsync(once({ sort: 77 as never }), { code: 'ERR_CGROUPS_REQUEST' });
});

test('a watch ranks by the share of the time since the response before', async (t) => {
  const { cgroups, clock, write } = await cgroupsNode(t, tree);
  const stream = cgroups.pressure(asking({ intervalMillis: 2000, sort: PressureSort.CPU }), never);
  t.deepEqual(paths(await next(stream)), ['/b', '/a', '/c', '/d', '/above/below', '/off']);
  // So much that it is all of the time, however fast this machine is.
  await write({ 'd/cpu.pressure': file(['0.00', 4_000_000_000]), 'new/cpu.pressure': file(['2.00', 1]) });
  const second = next(stream);
  await asleep(clock);
  clock.advance(1000);
  const response = await second;
  t.deepEqual(
    paths(response).slice(0, 2),
    ['/d', '/new'],
    'b has not stalled since, a new one has its average',
  );
  t.is(response.cgroups?.[0]?.pressure?.cpu?.some?.recent, 100);
  t.is(response.cgroups?.find(({ path }) => path === '/b')?.pressure?.cpu?.some?.recent, 0);
  t.is(response.cgroups?.[1]?.pressure?.cpu?.some?.recent, undefined);
  await stream.return();
});

test('the pressure of the node is told where there is no cgroup v2', async (t) => {
  const message = 'no cgroup v2 hierarchy is mounted, only cgroup v1: memory at /sys/fs/cgroup/memory';
  const { cgroups } = await cgroupsNode(
    t,
    {},
    { hierarchy: () => Promise.reject(new CgroupError('ERR_CGROUP_VERSION', '/sys/fs/cgroup', message)) },
  );
  const { system } = await next(cgroups.pressure(asking({ top: 0 }), never));
  t.is(system?.cpu?.some?.avg10, 0);
  await t.throwsAsync(next(cgroups.pressure(asking({}), never)), {
    code: 'ERR_CGROUP_VERSION',
    message: /memory at/,
  });
});

test('a node that does not account pressure says so', async (t) => {
  const off = new CgroupError('ERR_CGROUP_PRESSURE_OFF', '/proc', 'pressure is not accounted here');
  const { cgroups } = await cgroupsNode(t, {}, { pressure: () => Promise.reject(off) });
  await t.throwsAsync(next(cgroups.pressure(asking({}), never)), { code: 'ERR_CGROUP_PRESSURE_OFF' });
});

test('a share is of the time that passed, and none where it can not be said', (t) => {
  t.is(recentShare(2_000_000n, 1_500_000n, 2_000_000_000n), 25);
  t.is(recentShare(9_000_000n, 0n, 1_000_000_000n), 100, 'a piece that ends now may have begun before');
  t.is(recentShare(1n, 2n, 1n), undefined);
  t.is(recentShare(1n, 1n, 0n), undefined);
  t.is(recentShare(1n, undefined, 1n), undefined);
  const irqLine: PressureLine = { avg10: 1, avg60: 2, avg300: 3, totalUs: 1_000_000n };
  const now: Pressure = { ...calm, irq: { some: undefined, full: irqLine } };
  const { irq, memory } = wireReading(now, { pressure: calm, elapsedNs: 1n });
  t.deepEqual(irq, { full: { avg10: 1, avg60: 2, avg300: 3, totalMicros: 1_000_000n } });
  t.is(memory?.some?.recent, 0);
});
