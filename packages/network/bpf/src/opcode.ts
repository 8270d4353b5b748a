/** What an instruction works on besides the accumulator. */
export type Operand =
  | 'none'
  | 'constant' // #k
  | 'x' // the index register
  | 'absolute' // [k]
  | 'indirect' // [x + k]
  | 'header' // 4*([k]&0xf)
  | 'memory' // M[k]
  | 'length' // the length of the packet
  | 'accumulator' // ret a
  | 'target'; // ja

export type Opcode = {
  readonly code: number;
  readonly mnemonic: string;
  readonly operand: Operand;
  /** It compares and has two targets, `jt` and `jf`. */
  readonly branches: boolean;
  /** `tcpdump -d` shows its constant in hexadecimal. */
  readonly hexadecimal: boolean;
};

/** The part of an instruction's code that says what it does; linux/bpf_common.h has the same values. */
export const code = {
  ld: 0x20,
  ldh: 0x28,
  ldb: 0x30,
  ldIndirect: 0x40,
  ldhIndirect: 0x48,
  ldbIndirect: 0x50,
  ldConstant: 0x00,
  ldMemory: 0x60,
  ldLength: 0x80,
  ldxConstant: 0x01,
  ldxMemory: 0x61,
  ldxLength: 0x81,
  ldxHeader: 0xb1,
  st: 0x02,
  stx: 0x03,
  ja: 0x05,
  jeq: 0x15,
  jgt: 0x25,
  jge: 0x35,
  jset: 0x45,
  add: 0x04,
  sub: 0x14,
  mul: 0x24,
  div: 0x34,
  or: 0x44,
  and: 0x54,
  lsh: 0x64,
  rsh: 0x74,
  neg: 0x84,
  mod: 0x94,
  xor: 0xa4,
  ret: 0x06,
  retA: 0x16,
  tax: 0x07,
  txa: 0x87,
} as const;

/** Added to the code of a jump or an operation: the other operand is the index register, not a constant. */
export const withX = 0x08;

function one(
  number: number,
  mnemonic: string,
  operand: Operand,
  more: { readonly branches?: boolean; readonly hexadecimal?: boolean } = {},
): Opcode {
  return { code: number, mnemonic, operand, branches: false, hexadecimal: false, ...more };
}

/** An operation or a jump that takes a constant or the index register. */
function pair(
  number: number,
  mnemonic: string,
  more: { readonly branches?: boolean; readonly hexadecimal?: boolean },
): readonly Opcode[] {
  return [one(number, mnemonic, 'constant', more), one(number + withX, mnemonic, 'x', more)];
}

const jump = { branches: true, hexadecimal: true };

/** Every code that the kernel takes from user space (net/core/filter.c, chk_code_allowed). */
export const opcodes: readonly Opcode[] = [
  one(code.ld, 'ld', 'absolute'),
  one(code.ldh, 'ldh', 'absolute'),
  one(code.ldb, 'ldb', 'absolute'),
  one(code.ldIndirect, 'ld', 'indirect'),
  one(code.ldhIndirect, 'ldh', 'indirect'),
  one(code.ldbIndirect, 'ldb', 'indirect'),
  one(code.ldConstant, 'ld', 'constant', { hexadecimal: true }),
  one(code.ldMemory, 'ld', 'memory'),
  one(code.ldLength, 'ld', 'length'),
  one(code.ldxConstant, 'ldx', 'constant', { hexadecimal: true }),
  one(code.ldxMemory, 'ldx', 'memory'),
  one(code.ldxLength, 'ldx', 'length'),
  one(code.ldxHeader, 'ldxb', 'header'),
  one(code.st, 'st', 'memory'),
  one(code.stx, 'stx', 'memory'),
  one(code.ja, 'ja', 'target'),
  ...pair(code.jeq, 'jeq', jump),
  ...pair(code.jgt, 'jgt', jump),
  ...pair(code.jge, 'jge', jump),
  ...pair(code.jset, 'jset', jump),
  ...pair(code.add, 'add', {}),
  ...pair(code.sub, 'sub', {}),
  ...pair(code.mul, 'mul', {}),
  ...pair(code.div, 'div', {}),
  ...pair(code.or, 'or', { hexadecimal: true }),
  ...pair(code.and, 'and', { hexadecimal: true }),
  ...pair(code.lsh, 'lsh', {}),
  ...pair(code.rsh, 'rsh', {}),
  ...pair(code.mod, 'mod', {}),
  ...pair(code.xor, 'xor', { hexadecimal: true }),
  one(code.neg, 'neg', 'none'),
  one(code.ret, 'ret', 'constant'),
  one(code.retA, 'ret', 'accumulator'),
  one(code.tax, 'tax', 'none'),
  one(code.txa, 'txa', 'none'),
];

const byCode = new Map(opcodes.map((opcode) => [opcode.code, opcode]));

/** The opcode with this code; undefined when the kernel has none. */
export function opcodeOf(number: number): Opcode | undefined {
  return byCode.get(number);
}

/** What `jt` and `jf` of this code mean something for. */
export function branches(number: number): boolean {
  return byCode.get(number)?.branches ?? false;
}
