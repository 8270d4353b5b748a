import test from 'ava';

import { decisionsOf } from '../src/decision.ts';
import { compile, explain, parse, type Program, print, run } from '../src/index.ts';
import { simplify } from '../src/simplify.ts';
import { outcomesOf } from '../src/structure.ts';
import { corpus } from './corpus.ts';
import { Ended, holds, type Packet, valueIn } from './evaluate.ts';
import { filters } from './filters.ts';
import { Random } from './random.ts';

/** What a program returns according to the conditions of its explanation. */
function explained(program: Program, packet: Packet): number {
  const decisions = decisionsOf(program);
  if (decisions === undefined) throw new Error('too many decisions');
  try {
    for (const [leaf, condition] of outcomesOf(decisions)) {
      const simple = simplify(condition, new Map(), { tests: 1e6 });
      if (simple !== undefined && leaf.kind === 'return' && holds(simple, packet))
        return valueIn(leaf.value, packet);
    }
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    return 0;
  }
  throw new Error('no outcome holds');
}

for (const [linkType, options] of [
  ['EN10MB', { vlanOffload: true }],
  ['RAW', { optimize: false }],
  ['LINUX_SLL2', {}],
] as const) {
  test(`the conditions that explain a program of ${linkType} hold for the packets that it accepts`, async (t) => {
    const samples = corpus(new Random(9), 60, linkType);
    let conditions = 0;
    for (const filter of filters) {
      const program = await compile(filter, { linkType, ...options }).catch(() => undefined);
      if (program === undefined) continue;
      for (const { bytes, context = {} } of samples) {
        const expected = run(program, bytes, context);
        if (explained(program, { bytes, context }) !== expected)
          throw new Error(`${filter}: ${explain(program).text}`);
      }
      conditions += 1;
    }
    t.true(conditions > 150, `${conditions}`);
  });
}

const explanations: readonly (readonly [string, string, string])[] = [
  ['EN10MB', 'ip', 'ether type is IPv4'],
  [
    'EN10MB',
    'arp host 10.0.0.1',
    'ether type is ARP and (arp sender address is 10.0.0.1 or arp target address is 10.0.0.1)',
  ],
  ['EN10MB', 'ip6 src host 2001:db8::1', 'ether type is IPv6 and ip6 source is 2001:db8::1'],
  ['EN10MB', 'ip6 dst net 2001:db8::/32', 'ether type is IPv6 and ip6 destination is in 2001:db8::/32'],
  ['EN10MB', 'src net 10.1.0.0/16 and ip', 'ether type is IPv4 and ip source is in 10.1.0.0/16'],
  ['EN10MB', 'ether src 2:0:0:0:0:1', 'ethernet source is 02:00:00:00:00:01'],
  ['EN10MB', 'ether proto 0x88cc or not ip', 'ether type is LLDP or ether type is not IPv4'],
  ['EN10MB', 'inbound', 'packet type is not outgoing'],
  ['EN10MB', 'less 100', 'packet length is at most 100'],
  ['RAW', 'ip src host 10.0.0.1', 'ip version is 4 and ip source is 10.0.0.1'],
  ['NULL', 'ip proto 6', 'address family is IPv4 and ip protocol is TCP'],
  ['LINUX_SLL2', 'ifindex 3 and arp', 'interface index is 3 and ether type is ARP'],
];

for (const [linkType, filter, words] of explanations) {
  test(`${linkType}, ${filter}: ${words}`, async (t) => {
    const { text, complete, outcomes } = explain(await compile(filter, { linkType }), { linkType });
    t.is(text, `accepts a packet, up to 262144 bytes, if\n  ${words}`);
    t.true(complete);
    t.is(outcomes[0]?.bytes, 262_144);
  });
}

test('a longer explanation is laid out in lines', async (t) => {
  const { text } = explain(await compile('tcp dst port 80 or udp'));
  t.is(
    text,
    `accepts a packet, up to 262144 bytes, if
     (    ether type is IPv6
      and (   (ip6 next header is TCP and tcp destination port is 80)
           or ip6 next header is UDP
           or (ip6 next header is a fragment and next header of the fragment is UDP)))
  or (    ether type is IPv4
      and (ip protocol is not TCP or (it is not a later fragment and tcp destination port is 80))
      and (ip protocol is TCP or ip protocol is UDP))`,
  );
});

test('tags, flags and fragments have their own words', async (t) => {
  const vlan = explain(
    await compile('vlan 5 and tcp[tcpflags] & (tcp-syn|tcp-ack) = tcp-syn', { vlanOffload: true }),
  );
  for (const words of [
    'VLAN is 5',
    'VLAN taken out is 5',
    'tcp flags among SYN+ACK are SYN',
    'a later fragment',
  ]) {
    t.true(vlan.text.includes(words), words);
  }
  t.regex(explain(await compile('tcp[13] & 4 != 0')).text, /tcp flags have RST/);
  t.regex(explain(await compile('tcp[13] & 4 = 0')).text, /tcp flags lack RST/);
});

test('programs that always or never accept, or return what they compute, say so', (t) => {
  t.is(explain(parse('ret #0')).text, 'accepts nothing');
  t.is(explain(parse('ret #96')).text, 'accepts every packet, up to 96 bytes');
  t.is(
    explain(parse('ld len\nsub #4\nret a')).text,
    'accepts every packet, as many bytes as (packet length - 4)',
  );
  const two = explain(parse('ldb [0]\njgt #9, small, big\nsmall: ret #64\nbig: ret #128'));
  t.deepEqual(
    two.outcomes.map(({ bytes }) => bytes),
    [64, 128],
  );
});

/** `count` bytes, each compared with 9. */
function chain(count: number, yes: (index: number) => string, end: string): string {
  const tests = Array.from({ length: count }, (_, index) => {
    return `ldb [${index}]\njgt #9, ${yes(index)}, L${index}\nM${index}: ret #5\nL${index}: `;
  });
  return tests.join('') + end;
}

test('a program of more tests than anybody reads is given as its disassembly', (t) => {
  const program = parse(chain(600, (index) => `M${index}`, 'ret #0'));
  const { text, complete, outcomes } = explain(program);
  t.false(complete);
  t.deepEqual(outcomes, []);
  t.is(text, print(program, 'disassembly').trimEnd());
});

test('the longest programs are explained without overflowing the stack', (t) => {
  t.is(
    explain(parse(chain(600, (index) => `L${index}`, 'ret #1'))).text,
    'accepts every packet, up to 1 bytes',
  );
  for (const yes of ['M', 'L']) {
    t.false(
      explain(parse(chain(1364, (index) => `${yes}${index}`, 'ret #0\nret #0'))).complete && yes === 'M',
    );
  }
});
