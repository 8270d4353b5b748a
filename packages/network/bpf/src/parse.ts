import { check } from './check.ts';
import { BpfError } from './errors.ts';
import type { Form } from './form.ts';
import { Lexer } from './lexer.ts';
import type { Listing } from './listing.ts';
import { type Program, program } from './program.ts';
import { readAssembly } from './read-assembly.ts';
import { readDisassembly } from './read-disassembly.ts';
import { readInitializers, readNumbers } from './read-numbers.ts';
import { isMnemonic } from './statement.ts';

const readers: Readonly<Record<Form, (lexer: Lexer) => Listing>> = {
  disassembly: readDisassembly,
  initializers: readInitializers,
  numbers: readNumbers,
  assembly: readAssembly,
};

/**
 * The form in which a text writes instructions down; undefined when it is something else, such as the text of a
 * filter. Only the beginning is looked at: whether the rest can be read is for {@link parse}.
 */
export function formOf(text: string): Form | undefined {
  const lexer = new Lexer(text);
  const first = lexer.peek();
  const second = lexer.peek(1);
  if (first.kind === 'word') return isAssembly(lexer) ? 'assembly' : undefined;
  if (first.kind === 'number') return isListOfNumbers(first.text, second.text) ? 'numbers' : undefined;
  if (first.text === '{') return 'initializers';
  return first.text === '(' && /^\d+$/.test(second.text) && isNumbered(lexer) ? 'disassembly' : undefined;
}

/** `(000) ldh`: no filter goes on like this. */
function isNumbered(lexer: Lexer): boolean {
  lexer.next();
  lexer.next();
  return lexer.accept(')') && isMnemonic(lexer.peek().text);
}

/** A filter may be a lone number, but none goes on with a second one or with a comma. */
function isListOfNumbers(first: string, second: string): boolean {
  return /^(0x[0-9a-f]+|\d+)$/i.test(first) && /^(0x[0-9a-f]+|\d+|,)$/i.test(second);
}

/** A label, or a mnemonic with an operand or before another one: in a filter, words are joined by `and` and `or`. */
function isAssembly(lexer: Lexer): boolean {
  const first = lexer.next();
  if (lexer.peek().text === ':') return true;
  if (!isMnemonic(first.text)) return false;
  const { kind, text } = lexer.peek();
  // No filter begins with these, but who forgot what comes before them wants to hear that, not of operands.
  if (/^(and|or)$/i.test(first.text)) return /^(#|%|x)$/i.test(text);
  if (kind === 'word') return !/^(and|or)$/i.test(text);
  return kind === 'number' || /^[#[%]$/.test(text);
}

/**
 * Reads a list of instructions in the given form, or in the one that {@link formOf} finds.
 *
 * @throws {BpfError} `ERR_BPF_SYNTAX` with line and column, or `ERR_BPF_INVALID` with the instruction as well.
 */
export function parse(text: string, form: Form | undefined = formOf(text)): Program {
  if (form === undefined) {
    const message = 'this is not a list of instructions as tcpdump -d, -dd, -ddd or bpf_asm write it';
    throw new BpfError('ERR_BPF_SYNTAX', message, { line: 1, column: 1 });
  }
  const lexer = new Lexer(text);
  const { instructions, tokens } = readers[form](lexer);
  const [problem] = check(instructions);
  const token = problem?.instruction === undefined ? undefined : tokens[problem.instruction];
  if (problem?.instruction !== undefined && token !== undefined) {
    const { line, column } = lexer.position(token);
    const { instruction } = problem;
    throw new BpfError('ERR_BPF_INVALID', `line ${line}: ${problem.message}`, { line, column, instruction });
  }
  return program(instructions);
}
