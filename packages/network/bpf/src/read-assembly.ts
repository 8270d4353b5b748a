import type { Instruction } from './instruction.ts';
import type { Lexer, Token } from './lexer.ts';
import { Listing } from './listing.ts';
import { branches, code } from './opcode.ts';
import { isMnemonic, readStatement } from './statement.ts';

type Field = 'jt' | 'jf' | 'k';
type Reference = { readonly index: number; readonly field: Field; readonly label: Token };

/** What the kernel's bpf_asm reads: labels, mnemonics, operands; comments in C's way, after `;` and after a leading #. */
export function readAssembly(lexer: Lexer): Listing {
  const listing = new Listing(lexer);
  const labels = new Map<string, number>();
  const references: Reference[] = [];
  while (lexer.peek().kind !== 'end') {
    if (lexer.peek(1).text === ':') readLabel(lexer, labels, listing.length);
    else listing.add(lexer.peek(), readInstruction(lexer, listing.length, references));
  }
  for (const reference of references) resolve(lexer, listing, labels, reference);
  return listing;
}

function readLabel(lexer: Lexer, labels: Map<string, number>, index: number): void {
  const token = lexer.next();
  if (token.kind !== 'word') throw lexer.error(token, 'a label is a word');
  if (labels.has(token.text)) throw lexer.error(token, 'there is a label of this name already');
  labels.set(token.text, index);
  lexer.expect(':');
}

function readInstruction(lexer: Lexer, index: number, references: Reference[]): Instruction {
  const { code: number, k, inverted } = readStatement(lexer, false);
  const refer = (field: Field) => {
    references.push({ index, field, label: readReference(lexer) });
  };
  if (number === code.ja) {
    refer('k');
  } else if (branches(number)) {
    lexer.expect(',');
    refer(inverted ? 'jf' : 'jt');
    if (lexer.accept(',')) refer(inverted ? 'jt' : 'jf');
  }
  return { code: number, jt: 0, jf: 0, k };
}

function readReference(lexer: Lexer): Token {
  const token = lexer.peek();
  if (token.kind !== 'word' || isMnemonic(token.text)) throw lexer.unexpected('a label');
  return lexer.next();
}

function resolve(
  lexer: Lexer,
  listing: Listing,
  labels: ReadonlyMap<string, number>,
  reference: Reference,
): void {
  const { index, field, label } = reference;
  const target = labels.get(label.text);
  const instruction = listing.instructions[index];
  if (target === undefined || instruction === undefined) throw lexer.error(label, 'there is no such label');
  const distance = target - index - 1;
  if (distance < 0) throw lexer.error(label, 'the label stands before the jump; jumps only go forward');
  if (field !== 'k' && distance > 0xff) {
    throw lexer.error(
      label,
      `the label is ${distance} instructions away; a comparison can skip 255, ja any number`,
    );
  }
  listing.instructions[index] = { ...instruction, [field]: distance };
}
