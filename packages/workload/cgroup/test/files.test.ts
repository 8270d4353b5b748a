import test from 'ava';

import { oneCgroup } from './copied-tree.ts';

test('every controller file has a property of its own', async (t) => {
  const node = await oneCgroup(t, {
    'cgroup.procs': '1\n72\n',
    'cgroup.threads': '1\n72\n73\n',
    'cgroup.events': 'populated 1\nfrozen 0\n',
    'cgroup.stat': 'nr_descendants 3\nnr_dying_descendants 0\n',
    'cgroup.freeze': '0\n',
    'cgroup.type': 'domain threaded\n',
    'cgroup.controllers': 'cpuset cpu io memory\n',
    'cgroup.subtree_control': '\n',
    'cgroup.max.depth': 'max\n',
    'cgroup.pressure': '1\n',
    'cpu.stat': 'usage_usec 3200\nuser_usec 1000\n',
    'cpu.max': 'max 100000\n',
    'cpu.weight': '100\n',
    'cpu.weight.nice': '-5\n',
    'cpu.uclamp.min': '12.34\n',
    'cpu.uclamp.max': 'max\n',
    'cpu.idle': '0\n',
    'cpuset.cpus': '\n',
    'cpuset.cpus.effective': '0-1\n',
    'cpuset.cpus.partition': 'root invalid (Cpu list in cpuset.cpus not exclusive)\n',
    'io.stat': '254:0 rbytes=4096 wbytes=0 rios=1 wios=0 dbytes=0 dios=0\n',
    'io.max': '254:0 rbps=1048576 wbps=max riops=max wiops=max\n',
    'io.weight': 'default 100\n8:16 200\n',
    'io.bfq.weight': '100\n',
    'io.latency': '8:16 target=2000\n',
    'pids.current': '3\n',
    'pids.max': '4194304\n',
    'pids.events': 'max 0\n',
    'hugetlb.2MB.current': '0\n',
    'hugetlb.2MB.max': 'max\n',
    'hugetlb.2MB.rsvd.max': '2097152\n',
    'hugetlb.2MB.events': 'max 1\n',
    'hugetlb.2MB.numa_stat': 'total=0 N0=0\n',
    'hugetlb.1GB.current': '1073741824\n',
    'rdma.current': 'mlx4_0 hca_handle=1 hca_object=20\n',
    'rdma.max': 'mlx4_0 hca_handle=2 hca_object=max\n',
    'misc.current': 'res_a 3\n',
    'misc.max': 'res_a max\n',
    'misc.capacity': 'res_a 50\n',
    'cpu.pressure':
      'some avg10=0.50 avg60=0.00 avg300=0.00 total=9\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n',
    'irq.pressure': 'full avg10=0.00 avg60=0.00 avg300=0.00 total=3\n',
  });
  t.deepEqual(node.cgroup.procs, [1, 72]);
  t.is(node.cgroup.threads?.length, 3);
  t.is(node.cgroup.events?.get('populated'), 1);
  t.is(node.cgroup.stat?.get('nr_descendants'), 3);
  t.is(node.cgroup.freeze, false);
  t.is(node.cgroup.type, 'domain threaded');
  t.deepEqual(node.cgroup.controllers, ['cpuset', 'cpu', 'io', 'memory']);
  t.deepEqual(node.cgroup.subtreeControl, []);
  t.is(node.cgroup.maxDepth, Infinity);
  t.is(node.cgroup.pressure, true);
  t.is(node.cpu.stat?.get('usage_usec'), 3200);
  t.deepEqual(node.cpu.max, { quotaUs: Infinity, periodUs: 100_000 });
  t.is(node.cpu.weight, 100);
  t.is(node.cpu.weightNice, -5);
  t.is(node.cpu.uclampMin, 12.34);
  t.is(node.cpu.uclampMax, Infinity);
  t.is(node.cpu.idle, false);
  t.deepEqual(node.cpuset.cpus, []);
  t.deepEqual(node.cpuset.cpusEffective, [{ first: 0, last: 1 }]);
  t.regex(node.cpuset.partition ?? '', /^root invalid/);
  t.is(node.io.stat?.get('254:0')?.get('rbytes'), 4096);
  t.is(node.io.max?.get('254:0')?.get('wbps'), Infinity);
  t.is(node.io.weight?.get('8:16'), 200);
  t.is(node.io.bfqWeight?.get('default'), 100);
  t.is(node.io.latency?.get('8:16')?.get('target'), 2000);
  t.deepEqual(
    { ...node.pids, events: node.pids.events?.get('max') },
    { current: 3, peak: undefined, max: 4_194_304, events: 0 },
  );
  t.deepEqual([...node.hugetlb.keys()].sort(), ['1GB', '2MB']);
  t.is(node.hugetlb.get('2MB')?.max, Infinity);
  t.is(node.hugetlb.get('2MB')?.reservedMax, 2_097_152);
  t.is(node.hugetlb.get('2MB')?.numaStat?.get('N0'), 0);
  t.is(node.hugetlb.get('1GB')?.current, 2 ** 30);
  t.is(node.hugetlb.get('1GB')?.max, undefined);
  t.is(node.rdma.current?.get('mlx4_0')?.get('hca_object'), 20);
  t.is(node.misc.capacity?.get('res_a'), 50);
  t.is(node.pressure.cpu?.some?.totalUs, 9n);
  t.is(node.pressure.irq?.some, undefined);
  t.is(node.pressure.irq?.full?.totalUs, 3n);
});

test('memory has its limits, its counts by node, its events, and swap', async (t) => {
  const { memory } = await oneCgroup(t, {
    'memory.current': '8192\n',
    'memory.peak': '16384\n',
    'memory.min': '0\n',
    'memory.low': '4096\n',
    'memory.high': 'max\n',
    'memory.max': '1073741824\n',
    'memory.stat': 'anon 4096\nfile 0\npgfault 12\n',
    'memory.numa_stat': 'anon N0=4096 N1=0\n',
    'memory.events': 'low 0\noom_kill 2\n',
    'memory.events.local': 'low 0\noom_kill 1\n',
    'memory.oom.group': '1\n',
    'memory.swap.current': '0\n',
    'memory.swap.max': 'max\n',
    'memory.swap.events': 'high 0\nmax 0\nfail 3\n',
    'memory.zswap.current': '0\n',
    'memory.zswap.writeback': '1\n',
  });
  t.is(memory.current, 8192);
  t.is(memory.peak, 16_384);
  t.is(memory.min, 0);
  t.is(memory.low, 4096);
  t.is(memory.high, Infinity);
  t.is(memory.max, 2 ** 30);
  t.is(memory.stat?.get('pgfault'), 12);
  t.is(memory.numaStat?.get('anon')?.get('N0'), 4096);
  t.is(memory.events?.get('oom_kill'), 2);
  t.is(memory.eventsLocal?.get('oom_kill'), 1);
  t.is(memory.oomGroup, true);
  t.deepEqual(
    { ...memory.swap, events: memory.swap.events?.get('fail') },
    { current: 0, peak: undefined, high: undefined, max: Infinity, events: 3 },
  );
  t.deepEqual(memory.zswap, { current: 0, max: undefined, writeback: true });
});

test('what a kernel does not have is undefined, never zero', async (t) => {
  const node = await oneCgroup(t, { 'cgroup.procs': '' });
  t.is(node.memory.current, undefined);
  t.is(node.memory.stat, undefined);
  t.is(node.cpu.max, undefined);
  t.is(node.pressure.memory, undefined);
  t.is(node.hugetlb.size, 0);
  t.deepEqual(node.cgroup.procs, []);
});
