import test from 'ava';

import { BpfError, compile } from '../src/index.ts';

/** What libpcap refuses, with the place marked: a word in «», or the end with «». */
const mistakes: readonly (readonly [string, string])[] = [
  ['tcp «prot» 80', '"prot" can\'t stand here; did you mean "port"?'],
  ['tcp and «udpp» port 53', '"udpp" can\'t stand here; did you mean "udp"?'],
  ['tcp port«»', 'something is missing at the end'],
  ['host«»', 'something is missing at the end'],
  ['tcp port 80 and«»', 'something is missing at the end'],
  ['(tcp«»', 'something is missing at the end'],
  ['(«»', 'something is missing at the end'],
  ['ip«)»', '")" can\'t stand here'],
  ['«and»', '"and" can\'t stand here'],
  ['tcp port 80 and «and»', '"and" can\'t stand here'],
  ['tcp port 80 «udp» port 53', '"udp" can\'t stand here'],
  ['tcp «@» 3', '"@" can\'t stand here'],
  ['«#»', '"#" can\'t stand here'],
  ['host 10.0.0.1 «andd» tcp', '"andd" can\'t stand here; did you mean "and"?'],
  ['dst host «and» src', '"and" can\'t stand here'],
  ['tcp[tcpflags] & «tcp-sym» != 0', '"tcp-sym" can\'t stand here; did you mean "tcp-syn"?'],
  ['len > 5 «>» 6', '">" can\'t stand here'],
  ['portrange 1«-»', '"-" can\'t stand here'],
  ['net 1.2.3.4 mask «5»', '"5" can\'t stand here'],
  ['port «99999»', 'illegal port number 99999 > 65535'],
  ['tcp port 80 or «99999»', 'illegal port number 99999 > 65535'],
  ['vlan «5000»', 'VLAN tag 5000 greater than maximum 4095'],
  ['mpls «1048577» and ip', 'MPLS label 1048577 greater than maximum 1048575'],
  ['vlan 3 and mpls and «vlan»', 'no VLAN match after MPLS'],
  ['ip host 1.2.3.4/«33» and tcp', 'mask length must be <= 32'],
  ['ether[0:«3»]=1', 'data size must be 1, 2, or 4'],
  ['ip[5]=5 or udp[1:«8»] = 3', 'data size must be 1, 2, or 4'],
  ['ip6[0]/«0»=1', 'division by zero'],
  ['ip[«1000000000000»]=1', 'number 1000000000000 overflows 32 bits'],
  ['«ip» host ::1', "'ip' modifier applied to ip6 host"],
  ['tcp port 80 or port «nosuch»', "unknown port 'nosuch'"],
  ['ip proto «nosuch»', "unknown ip proto 'nosuch'"],
  ['ip «broadcast»', "netmask not known, so 'ip broadcast' not supported"],
  ['udp or ip6 or «brodcast»', '"brodcast" can\'t stand here; did you mean "broadcast"?'],
  ['ether host «1:2:3»', 'bogus ethernet address 1:2:'],
  ['wlan type «foo»', 'unknown 802.11 type name "foo"'],
];

for (const [marked, message] of mistakes) {
  test(`${marked}: ${message}`, async (t) => {
    const text = marked.replace(/[«»]/g, '');
    const column = marked.indexOf('«') + 1;
    const error = await t.throwsAsync(compile(text), { instanceOf: BpfError, code: 'ERR_BPF_FILTER' });
    const [line, excerpt, carets] = error?.message.split('\n') ?? [];
    t.is(line, `bpf: filter, column ${column}: ${message}`);
    t.is(excerpt, `  ${text}`);
    t.is(carets, `  ${' '.repeat(column - 1)}${'^'.repeat(Math.max(1, error?.token?.length ?? 0))}`);
    t.like(error, { line: 1, column, token: /«(.*)»/.exec(marked)?.[1] });
  });
}

test('a mistake on the second line is shown there, without what a terminal would obey', async (t) => {
  const error = await t.throwsAsync(compile('tcp and\n\tudp prt 5 \u001b[2J'), { code: 'ERR_BPF_FILTER' });
  t.regex(error?.message ?? '', /line 2, column 6: "prt" can't stand here/);
  t.true(error?.message.endsWith('\n   udp prt 5  [2J\n       ^^^'), error?.message);
});

test('a NUL character, which C would take for the end, is refused', async (t) => {
  const error = await t.throwsAsync(compile('tcp\0 or udp'), {
    instanceOf: BpfError,
    code: 'ERR_BPF_FILTER',
  });
  t.is(error?.column, 4);
});

test('a mistake far into a long filter is found', async (t) => {
  const list = Array.from({ length: 300 }, (_, index) => `port ${index}`);
  const text = `${list.join(' or ')} or tcp pot 5 or ${list.join(' or ')}`;
  const error = await t.throwsAsync(compile(text), { instanceOf: BpfError, code: 'ERR_BPF_FILTER' });
  t.is(error?.token, 'pot');
  t.is(error?.column, text.indexOf('pot') + 1);
  t.true((error?.message.split('\n')[1]?.length ?? 999) < 120);
});
