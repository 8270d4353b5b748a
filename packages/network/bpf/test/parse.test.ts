import test from 'ava';

import {
  BpfError,
  encode,
  decode,
  equal,
  type Form,
  formOf,
  forms,
  parse,
  print,
  program,
} from '../src/index.ts';
import { Random } from './random.ts';
import { randomProgram } from './random-program.ts';

for (const form of forms) {
  test(`every program that is printed as ${form} is read back`, (t) => {
    const random = new Random(3);
    for (let round = 0; round < 1500; round += 1) {
      const made = program(randomProgram(random, { length: 80 }));
      const text = print(made, form);
      const read = parse(text, form);
      // libpcap prints `ldx len` by its number.
      if (!equal(read, made)) throw new Error(text);
      if (print(read, form) !== text) throw new Error(text);
    }
    t.pass();
  });
}

test('every program is the bytes that the kernel takes, and back', (t) => {
  const random = new Random(5);
  for (let round = 0; round < 500; round += 1) {
    const made = program(randomProgram(random, { length: 80 }));
    if (!equal(decode(encode(made)), made)) throw new Error(print(made, 'numbers'));
  }
  t.throws(() => decode(new Uint8Array(9)), { code: 'ERR_BPF_INVALID' });
});

const ipv4 = `        ldh [12]
        jeq #0x800, L2, L3
L2:     ret #262144
L3:     ret #0
`;

/** The same program as people and programs write it. */
const spellings: readonly (readonly [string, string])[] = [
  ['bpf_asm', ipv4],
  ['capital letters and other numbers', 'LDH [0xC]\nJEQ #04000, yes, no\nyes: RET #0x40000\nno: RET #0b0'],
  ['no spaces, one line', 'ldh[12]jeq #2048,yes,no yes:ret #262144 no:ret #0'],
  [
    'one target, comments',
    '# first\nldh [12] ; the type\njne #0x800, no // other\n/* then */ ret #262144\nno: ret #0',
  ],
  ['exchanged targets', 'ldh [12]\njneq #0x800, no, yes\nyes: ret #262144\nno: ret #0'],
  ['tcpdump -d', '(000) ldh [12]\n(001) jeq #0x800 jt 2 jf 3\n(002) ret #262144\n(003) ret #0'],
  [
    'tcpdump -dd without commas',
    '{ 0x28, 0, 0, 12 }\n{ 0x15, 0, 1, 0x800 }\n{ 6, 0, 0, 262144 }\n{ 6, 0, 0, 0 }',
  ],
  ['tcpdump -ddd', '4\n40 0 0 12\n21 0 1 2048\n6 0 0 262144\n6 0 0 0\n'],
  ['iptables', '4,40 0 0 12,21 0 1 2048,6 0 0 262144,6 0 0 0,'],
  ['numbers without their count', '40 0 0 12\r\n21 0 1 2048\r\n6 0 0 262144\r\n6 0 0 0'],
];

for (const [name, text] of spellings) {
  test(`read: ${name}`, (t) => {
    t.is(print(parse(text), 'assembly'), ipv4);
  });
}

const statements: readonly (readonly [string, string])[] = [
  ['ld len', '128 0 0 0'],
  ['ld #len', '128 0 0 0'],
  ['ldx len', '129 0 0 0'],
  ['ldx #pktlen', '129 0 0 0'],
  ['ldx 4*([14]&0xf)', '177 0 0 14'],
  ['ldxb 4 * ( [ 14 ] & 15 )', '177 0 0 14'],
  ['ldi 5', '0 0 0 5'],
  ['ldi #-1', '0 0 0 4294967295'],
  ['ldxi 0x10', '1 0 0 16'],
  ['ld M[3]', '96 0 0 3'],
  ['ldh [x + 14]', '72 0 0 14'],
  ['ldb [%x+14]', '80 0 0 14'],
  ['ld [x - 4]', '64 0 0 4294967292'],
  ['ld vlan_tci', '32 0 0 4294963244'],
  ['ldb #vlan_avail', '48 0 0 4294963248'],
  ['ldb [vlanp]', '48 0 0 4294963248'],
  ['ldh proto', '40 0 0 4294963200'],
  ['ld ifidx', '32 0 0 4294963208'],
  ['ld rand', '32 0 0 4294963256'],
  ['add x', '12 0 0 0'],
  ['and #0xf0', '84 0 0 240'],
  ['mod %x', '156 0 0 0'],
  ['neg', '132 0 0 0'],
  ['tax', '7 0 0 0'],
  ['ld [0xfffff028]', '32 0 0 4294963240'],
];

for (const [text, numbers] of statements) {
  test(`read: ${text}`, (t) => {
    const prefix = numbers.startsWith('96') ? ['st M[3]\n', '2 0 0 3\n'] : ['', ''];
    const read = parse(`${prefix[0]}${text}\nret a`, 'assembly');
    t.true(equal(read, parse(`${prefix[1]}${numbers}\n22 0 0 0`)));
  });
}

const mistakes: readonly (readonly [Form, string, number, number, string])[] = [
  ['assembly', 'ldq [12]', 1, 1, 'at "ldq": there is no such instruction'],
  ['assembly', 'ret #0\n  ldh #5', 2, 7, 'at "#": ldh takes [k], [x + k], not #k'],
  ['assembly', 'ld foo', 1, 4, 'at "foo": the kernel keeps no value of this name'],
  ['assembly', 'ld [12', 1, 7, 'at the end: "]" is missing'],
  ['assembly', 'ret #0x100000000', 1, 6, 'at "0x100000000": the number needs more than 32 bits'],
  ['assembly', 'ret #089', 1, 6, 'at "089": this is not a number'],
  ['assembly', 'jeq #1, L1\nret #0', 1, 9, 'at "L1": there is no such label'],
  ['assembly', 'L1: tax\nL1: ret #0', 2, 1, 'at "L1": there is a label of this name already'],
  ['assembly', 'L1: tax\nja L1', 2, 4, 'at "L1": the label stands before the jump; jumps only go forward'],
  ['assembly', 'ret', 1, 4, 'at the end: an operand is missing'],
  ['assembly', 'ret 65535', 1, 5, 'at "65535": a constant is written #65535'],
  ['assembly', 'ldx 5*([14]&0xf)', 1, 5, 'at "5": only 4*([k]&0xf) can be computed'],
  ['assembly', 'ld [y + 1]', 1, 5, 'at "y": the kernel keeps no value of this name'],
  ['assembly', '5: ret #0', 1, 1, 'at "5": a label is a word'],
  ['disassembly', '(000) ret #0\n(002) ret #0', 2, 2, 'at "002": this is instruction 1'],
  [
    'disassembly',
    '(000) jeq #1 jt 0 jf 1\n(001) ret #0',
    1,
    17,
    'at "0": instruction 0 can only jump forward',
  ],
  ['disassembly', '(000) ja 0', 1, 10, 'at "0": instruction 0 can only jump forward'],
  ['disassembly', '(000) jeq #1 jt 1', 1, 18, 'at the end: "jf" is missing'],
  ['initializers', '{ 0x28, 0, 0 }', 1, 14, 'at "}": "," should stand here'],
  ['initializers', '{ 0x28, 0, 0, 12 },\n{ 6, 0, 0,', 2, 11, 'at the end: a number is missing'],
  ['numbers', '3\n40 0 0 12\n6 0 0 0', 1, 1, 'at "3": 3 instructions are announced, 2 follow'],
  ['numbers', '40 0 0 12 6 0', 1, 14, 'at the end: a number (an instruction is four of them) is missing'],
  ['numbers', '40 0 0 x', 1, 8, 'at "x": a number should stand here'],
];

for (const [form, text, line, column, message] of mistakes) {
  test(`${form}, ${JSON.stringify(text)}: ${message}`, (t) => {
    const error = t.throws(() => parse(text, form), { instanceOf: BpfError, code: 'ERR_BPF_SYNTAX' });
    t.is(error?.message, `bpf: line ${line}, column ${column}, ${message}`);
    t.deepEqual([error?.line, error?.column], [line, column]);
  });
}

test('a program that the kernel would refuse is refused with its line', (t) => {
  const error = t.throws(() => parse('tax\n  div #0\nret a'), {
    instanceOf: BpfError,
    code: 'ERR_BPF_INVALID',
  });
  t.is(error?.message, 'bpf: line 2: instruction 1, div #0: it divides by zero');
  t.like(error, { line: 2, column: 3, instruction: 1 });
});

test('a comparison that is too far from its label says by how much', (t) => {
  const text = `jeq #1, far, near\nnear: ${'tax\n'.repeat(300)}far: ret #0`;
  const error = t.throws(() => parse(text), { code: 'ERR_BPF_SYNTAX' });
  t.regex(
    error?.message ?? '',
    /the label is 300 instructions away; a comparison can skip 255, ja any number/,
  );
});

test('more instructions than the kernel takes are refused where they begin', (t) => {
  for (const [form, one] of [
    ['assembly', 'tax\n'],
    ['initializers', '{ 7, 0, 0, 0 },\n'],
    ['numbers', '7 0 0 0\n'],
  ] as const) {
    const error = t.throws(() => parse(one.repeat(100_000), form), { instanceOf: BpfError });
    t.is(error?.line, 4097, form);
    t.regex(error?.message ?? '', /the kernel takes at most 4096 instructions/);
  }
});

test('the text of a filter is not taken for instructions, nor instructions for a filter', (t) => {
  for (const text of [
    '',
    ' ',
    'tcp port 80',
    'ip[0] = 5',
    '(tcp) or udp',
    '(80)',
    '80',
    'and',
    'not tcp',
    'ret or st',
    'ld',
    '# x',
  ]) {
    t.is(formOf(text), undefined, text);
  }
  t.is(formOf('\n{ 0x6, 0, 0, 0 },'), 'initializers');
  t.is(formOf('(000) ret #0'), 'disassembly');
  t.is(formOf('1\n6 0 0 0'), 'numbers');
  for (const text of ['ret #0', 'or #0x5\njeq #0, L2', 'and x\nret a', 'OR %x'])
    t.is(formOf(text), 'assembly', text);
  t.is(formOf('start: ld [0]'), 'assembly');
  t.throws(() => parse('tcp port 80'), { code: 'ERR_BPF_SYNTAX' });
});
