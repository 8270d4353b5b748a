import { leakedDescriptors, openDescriptors } from '@nodecore/testkit';
import test from 'ava';

import { accepts, BpfError, compile, print, withSnapLength } from '../src/index.ts';

test('the snap length is what an accepting program returns', async (t) => {
  t.is(print(await compile('', { snapLength: 96 }), 'numbers'), '1\n6 0 0 96\n');
  for (const snapLength of [0, -1, 1.5, 2 ** 31, Number.NaN]) {
    await t.throwsAsync(compile('ip', { snapLength }), { instanceOf: RangeError });
  }
  t.is(print(withSnapLength(await compile(''), 64), 'numbers'), '1\n6 0 0 64\n');
});

/** An IPv4 header with this destination. */
function to(...address: readonly number[]): Uint8Array {
  return Uint8Array.from([0x45, ...Array.from({ length: 15 }, () => 0), ...address]);
}

test('with a netmask, ip broadcast is the address for everybody of that network', async (t) => {
  const program = await compile('ip broadcast', { netmask: '255.255.240.0', linkType: 'RAW' });
  t.true(accepts(program, to(10, 1, 31, 255)));
  t.true(accepts(program, to(255, 255, 255, 255)));
  t.false(accepts(program, to(10, 1, 30, 255)));
  for (const netmask of ['255.255.255', '255.255.255.256', 'a.b.c.d', '']) {
    await t.throwsAsync(compile('ip', { netmask }), { instanceOf: RangeError });
  }
});

test('without the optimiser the program is as the code generator left it', async (t) => {
  const short = await compile('tcp port 80');
  const long = await compile('tcp port 80', { optimize: false });
  t.true(long.length > short.length);
});

test('an unknown link type has its own code', async (t) => {
  await t.throwsAsync(compile('ip', { linkType: 'EN10GB' }), { code: 'ERR_BPF_LINK_TYPE' });
});

test('filters compile at the same time, each to its own program', async (t) => {
  const ports = Array.from({ length: 60 }, (_, index) => index + 1);
  const programs = await Promise.all(ports.map((port) => compile(`udp dst port ${port}`)));
  for (const [index, program] of programs.entries()) {
    t.regex(print(program, 'disassembly'), new RegExp(`jeq +#0x${(index + 1).toString(16)} `));
  }
});

test('a signal ends the wait for a turn, with its reason', async (t) => {
  const reason = new Error('enough');
  await t.throwsAsync(compile('ip', { signal: AbortSignal.abort(reason) }), { is: reason });
});

const ports = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('a filter of hundreds of words compiles in a process of its own, and leaves nothing behind', async (t) => {
  await compile('ip'); // koffi keeps descriptors of its own
  const before = openDescriptors();
  const program = await compile(`udp dst port ${ports(150).join(' or ')}`);
  t.true(program.length > 150);
  t.deepEqual(leakedDescriptors(before), []);
});

test('a filter that keeps the optimiser busy is given up in time', async (t) => {
  const text = `port ${ports(900).join('||')}`;
  const error = await t.throwsAsync(compile(text, { timeoutMs: 1500 }), { instanceOf: BpfError });
  t.is(error?.code, 'ERR_BPF_COMPLEX');
  t.regex(error?.message ?? '', /it took more than 1500 ms/);
});

test('a long compilation ends at once when it is aborted', async (t) => {
  const reason = new Error('enough');
  const controller = new AbortController();
  const compiling = compile(`port ${ports(900).join('||')}`, { signal: controller.signal });
  setImmediate(() => controller.abort(reason));
  await t.throwsAsync(compiling, { is: reason });
});

test('what overflows the stack of libpcap does not end this process', async (t) => {
  const text = `(${'vlan and '.repeat(1000)}ip)`;
  const error = await t.throwsAsync(compile(text), { instanceOf: BpfError });
  t.is(error?.code, 'ERR_BPF_COMPLEX');
});

test('a filter of more words than any program has instructions for is refused unseen', async (t) => {
  const error = await t.throwsAsync(compile(`port ${ports(1100).join('||')}`), { instanceOf: BpfError });
  t.is(error?.code, 'ERR_BPF_COMPLEX');
  t.regex(error?.message ?? '', /it has 2200 words, more than 2048/);
  await t.throwsAsync(compile(' '.repeat(1_000_000)), { code: 'ERR_BPF_COMPLEX' });
});

test('a filter of more instructions than the kernel takes is refused', async (t) => {
  const compiling = compile(`port ${ports(150).join('||')}`, { optimize: false });
  const error = await t.throwsAsync(compiling, { instanceOf: BpfError });
  t.is(error?.code, 'ERR_BPF_COMPLEX');
  t.regex(error?.message ?? '', /^bpf: the kernel can't run this filter: the program has \d+ instructions;/);
});
