import type { Instruction } from './instruction.ts';
import type { Lexer, Token } from './lexer.ts';
import { Listing } from './listing.ts';
import { branches, code } from './opcode.ts';
import { readStatement } from './statement.ts';

/** `tcpdump -d`: a number in parentheses, the instruction, and for jumps the numbers of their targets. */
export function readDisassembly(lexer: Lexer): Listing {
  const listing = new Listing(lexer);
  while (lexer.peek().kind !== 'end') {
    const token = lexer.peek();
    readIndex(lexer, listing.length);
    listing.add(token, readInstruction(lexer, listing.length));
  }
  return listing;
}

/** `(003)`, decimal in spite of its zeros. */
function readIndex(lexer: Lexer, expected: number): void {
  lexer.expect('(');
  const token = lexer.next();
  if (token.kind !== 'number' || !/^\d+$/.test(token.text)) {
    throw lexer.error(token, 'the number of the instruction should stand here');
  }
  if (Number(token.text) !== expected) throw lexer.error(token, `this is instruction ${expected}`);
  lexer.expect(')');
}

function readInstruction(lexer: Lexer, index: number): Instruction {
  const { code: number, k } = readStatement(lexer, true);
  if (number === code.ja) return { code: number, jt: 0, jf: 0, k: readTarget(lexer, index, 0xffffffff) };
  if (!branches(number)) return { code: number, jt: 0, jf: 0, k };
  readWord(lexer, 'jt');
  const jt = readTarget(lexer, index, 0xff);
  readWord(lexer, 'jf');
  return { code: number, jt, jf: readTarget(lexer, index, 0xff), k };
}

function readWord(lexer: Lexer, word: string): void {
  const token: Token = lexer.peek();
  if (token.kind !== 'word' || token.text !== word) throw lexer.unexpected(`"${word}"`);
  lexer.next();
}

/** The number of the instruction to go on with, as the number of instructions to skip. */
function readTarget(lexer: Lexer, index: number, largest: number): number {
  const token = lexer.peek();
  const target = lexer.number();
  if (target <= index) throw lexer.error(token, `instruction ${index} can only jump forward`);
  if (target - index - 1 > largest) throw lexer.error(token, `a comparison can skip ${largest} instructions`);
  return target - index - 1;
}
