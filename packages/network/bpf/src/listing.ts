import { type Instruction, largestProgram } from './instruction.ts';
import type { Lexer, Token } from './lexer.ts';

/** Instructions as they are read, each with the token it starts with. */
export class Listing {
  readonly #lexer: Lexer;
  readonly instructions: Instruction[] = [];
  readonly tokens: Token[] = [];

  constructor(lexer: Lexer) {
    this.#lexer = lexer;
  }

  /** The index of the next instruction. */
  get length(): number {
    return this.instructions.length;
  }

  add(token: Token, instruction: Instruction): void {
    if (this.length === largestProgram) {
      throw this.#lexer.error(token, `the kernel takes at most ${largestProgram} instructions`);
    }
    this.instructions.push(instruction);
    this.tokens.push(token);
  }
}
