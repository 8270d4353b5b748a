import { root, testWith } from '@nodecore/testkit';

import { BpfError, compare, compile, compileForInterface, print } from '../src/index.ts';
import { corpus } from './corpus.ts';
import { filters } from './filters.ts';
import { Random } from './random.ts';

const live = testWith(root);
// What tcpdump was given as the netmask of the loopback network.
const netmask = '255.0.0.0';

live(
  'with VLAN offload, every filter accepts what libpcap accepts for a live Ethernet interface',
  async (t) => {
    const samples = corpus(new Random(8), 1500, 'EN10MB');
    t.true(samples.filter(({ context }) => context?.vlan !== undefined).length > 200);
    let tagged = 0;
    for (const filter of filters) {
      const options = { vlanOffload: true, netmask };
      const offloaded = await compile(filter, options).catch(() => undefined);
      const onLoopback = await compileForInterface('lo', filter).catch(() => undefined);
      t.is(offloaded === undefined, onLoopback === undefined, filter);
      if (offloaded === undefined || onLoopback === undefined) continue;
      if (print(onLoopback.program, 'disassembly').includes('vlan')) tagged += 1;
      const found = compare(offloaded, onLoopback.program, samples);
      t.is(found, undefined, `${filter}\n${print(offloaded, 'disassembly')}`);
    }
    t.true(tagged > 15, `${tagged}`);
  },
);

live('the link type of an interface is found, and any is LINUX_SLL2', async (t) => {
  t.is((await compileForInterface('lo', 'tcp')).linkType.name, 'EN10MB');
  const { program, linkType } = await compileForInterface('any', 'ifindex 3 and tcp');
  t.is(linkType.name, 'LINUX_SLL2');
  t.is(
    print(program, 'numbers'),
    print(await compile('ifindex 3 and tcp', { linkType: 'LINUX_SLL2' }), 'numbers'),
  );
});

live('a mistake in a filter for an interface is shown like any other', async (t) => {
  const error = await t.throwsAsync(compileForInterface('lo', 'tcp prot 80'), { instanceOf: BpfError });
  t.like(error, { code: 'ERR_BPF_FILTER', column: 5, token: 'prot' });
});

live('a long filter for an interface is compiled in a process of its own', async (t) => {
  const text = `vlan 5 and udp dst port ${Array.from({ length: 60 }, (_, port) => port + 1).join(' or ')}`;
  const { program } = await compileForInterface('lo', text);
  const same = await compile(text, { vlanOffload: true, netmask });
  t.is(print(program, 'numbers'), print(same, 'numbers'));
});

live('an interface that is not there is refused with those that are', async (t) => {
  const error = await t.throwsAsync(compileForInterface('nosuch0', 'ip'), { instanceOf: BpfError });
  t.is(error?.code, 'ERR_BPF_INTERFACE');
  t.regex(error?.message ?? '', /^bpf: interface nosuch0: there is no such interface; there are .*\blo\b/);
});
