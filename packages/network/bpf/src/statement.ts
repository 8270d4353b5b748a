import { extensionNamed } from './extension.ts';
import { code, opcodes, type Operand } from './opcode.ts';
import type { Lexer, Token } from './lexer.ts';

/** What a statement says, targets of a jump apart. */
export type Statement = {
  readonly code: number;
  readonly k: number;
  /** `jne`, `jlt` and `jle`: the comparison of another mnemonic, its targets exchanged. */
  readonly inverted: boolean;
};

type Found = { readonly operand: Operand; readonly k: number };

const codes = new Map(opcodes.map((opcode) => [`${opcode.mnemonic} ${opcode.operand}`, opcode.code]));
codes.set('ldx header', code.ldxHeader);

/** Other spellings of bpf_asm; `inverted` ones exchange the targets. */
const spellings: ReadonlyMap<string, { readonly mnemonic: string; readonly inverted: boolean }> = new Map([
  ['ldi', { mnemonic: 'ld', inverted: false }],
  ['ldxi', { mnemonic: 'ldx', inverted: false }],
  ['jmp', { mnemonic: 'ja', inverted: false }],
  ['jne', { mnemonic: 'jeq', inverted: true }],
  ['jneq', { mnemonic: 'jeq', inverted: true }],
  ['jlt', { mnemonic: 'jge', inverted: true }],
  ['jle', { mnemonic: 'jgt', inverted: true }],
]);

const mnemonics = new Set([...opcodes.map((opcode) => opcode.mnemonic), ...spellings.keys()]);

/** Whether a word of a program in assembly is the name of an instruction. */
export function isMnemonic(word: string): boolean {
  return mnemonics.has(word.toLowerCase());
}

const shown: Readonly<Record<Operand, string>> = {
  none: 'nothing',
  constant: '#k',
  x: 'x',
  absolute: '[k]',
  indirect: '[x + k]',
  header: '4*([k]&0xf)',
  memory: 'M[k]',
  length: 'len',
  accumulator: 'a',
  target: 'a target',
};

/**
 * A mnemonic and its operand. `ja` is left before its target.
 *
 * @param bareReturn `ret` alone returns the accumulator, as `tcpdump -d` prints it.
 */
export function readStatement(lexer: Lexer, bareReturn: boolean): Statement {
  const token = lexer.next();
  if (token.kind !== 'word') throw lexer.error(token, 'an instruction should stand here');
  const word = token.text.toLowerCase();
  if (word === 'unimp') return { code: lexer.number(), k: 0, inverted: false };
  const { mnemonic, inverted } = spellings.get(word) ?? { mnemonic: word, inverted: false };
  const accepted = opcodes.filter((opcode) => opcode.mnemonic === mnemonic);
  const [first] = accepted;
  if (first === undefined) throw lexer.error(token, 'there is no such instruction');
  if (first.operand === 'none' || first.operand === 'target') return { code: first.code, k: 0, inverted };
  if (bareReturn && mnemonic === 'ret' && startsLine(lexer.peek()))
    return { code: code.retA, k: 0, inverted };
  const at = lexer.peek();
  const found = readOperand(lexer, word.endsWith('i'));
  const number = codes.get(`${mnemonic} ${found.operand}`);
  if (number !== undefined && !(word.endsWith('i') && found.operand !== 'constant')) {
    return { code: number, k: found.k, inverted };
  }
  const wanted = word.endsWith('i')
    ? shown.constant
    : accepted.map(({ operand }) => shown[operand]).join(', ');
  throw lexer.error(at, `${word} takes ${wanted}, not ${shown[found.operand]}`);
}

/** In a disassembly every line starts with the instruction's number in parentheses. */
function startsLine(token: Token): boolean {
  return token.kind === 'end' || token.text === '(';
}

/** @param bare a number without # is a constant, as after `ldi`. */
function readOperand(lexer: Lexer, bare: boolean): Found {
  if (lexer.accept('#')) return readConstant(lexer);
  if (lexer.accept('[')) return readOffset(lexer);
  if (lexer.accept('%')) return readRegister(lexer);
  const token = lexer.peek();
  if (token.kind === 'number') return bare ? { operand: 'constant', k: lexer.number() } : readHeader(lexer);
  if (token.kind !== 'word') {
    if (bare) return { operand: 'constant', k: lexer.number() };
    throw lexer.unexpected('an operand');
  }
  if (token.text.toLowerCase() === 'm' && lexer.peek(1).text === '[') {
    lexer.next();
    lexer.next();
    const k = lexer.number();
    lexer.expect(']');
    return { operand: 'memory', k };
  }
  return /^[ax]$/i.test(token.text) ? readRegister(lexer) : readName(lexer);
}

function readRegister(lexer: Lexer): Found {
  const token = lexer.next();
  if (/^x$/i.test(token.text)) return { operand: 'x', k: 0 };
  if (/^a$/i.test(token.text)) return { operand: 'accumulator', k: 0 };
  throw lexer.error(token, 'there is no such register');
}

function readConstant(lexer: Lexer): Found {
  return lexer.peek().kind === 'word' ? readName(lexer) : { operand: 'constant', k: lexer.number() };
}

/** `len`, or what the kernel keeps beside the packet. */
function readName(lexer: Lexer): Found {
  const token = lexer.next();
  const name = token.text.toLowerCase();
  if (name === 'len' || name === 'pktlen') return { operand: 'length', k: 0 };
  const extension = extensionNamed(name);
  if (extension === undefined) throw lexer.error(token, 'the kernel keeps no value of this name');
  return { operand: 'absolute', k: extension.k };
}

/** Behind the `[`: an offset, an offset from the index register, or the name of a value. */
function readOffset(lexer: Lexer): Found {
  const token = lexer.peek();
  const percent = lexer.accept('%');
  if (percent || /^x$/i.test(token.text)) {
    const { operand } = readRegister(lexer);
    if (operand !== 'x') throw lexer.error(token, 'only x counts as an offset');
    const minus = lexer.accept('-');
    if (!minus) lexer.expect('+');
    const k = lexer.number();
    lexer.expect(']');
    return { operand: 'indirect', k: minus ? -k >>> 0 : k };
  }
  const found: Found = token.kind === 'word' ? readName(lexer) : { operand: 'absolute', k: lexer.number() };
  if (found.operand !== 'absolute') throw lexer.error(token, 'the length is no offset');
  lexer.expect(']');
  return found;
}

/** `4*([k]&0xf)`: the length of an IPv4 header. */
function readHeader(lexer: Lexer): Found {
  const factor = lexer.peek();
  const number = lexer.number();
  if (lexer.peek().text !== '*') throw lexer.error(factor, `a constant is written #${factor.text}`);
  if (number !== 4) throw lexer.error(factor, 'only 4*([k]&0xf) can be computed');
  for (const mark of ['*', '(', '[']) lexer.expect(mark);
  const k = lexer.number();
  for (const mark of [']', '&']) lexer.expect(mark);
  const mask = lexer.peek();
  if (lexer.number() !== 0xf) throw lexer.error(mask, 'only 4*([k]&0xf) can be computed');
  lexer.expect(')');
  return { operand: 'header', k };
}
