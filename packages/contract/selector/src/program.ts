import { Budget } from './cel/budget.ts';
import { check } from './cel/checker.ts';
import { type Bindings, evaluate } from './cel/evaluator.ts';
import { Failure, Mistake, type MistakeKind, TooCostly } from './cel/failure.ts';
import type { Language } from './cel/language.ts';
import type { Node } from './cel/nodes.ts';
import { parse } from './cel/parser.ts';
import { nameOf } from './cel/types.ts';
import type { Value } from './cel/values.ts';
import { SelectorError, type SelectorErrorCode, locate } from './errors.ts';

export type Outcome = {
  readonly matched: boolean;
  readonly error?: string;
  /** The evaluation was given up because it takes too many steps. */
  readonly tooCostly?: true;
};

/** An expression that is known to be a yes or no question over the variables of its language. */
export type Expression = {
  readonly text: string;
  readonly node: Node;
  /** Never throws: an expression that can't be evaluated does not match, and says why. */
  evaluate(bindings: Bindings): Outcome;
  /** Of a part that is a yes or no question as well. */
  evaluatePart(part: Node, bindings: Bindings): Outcome;
};

/** What an expression must come to, and what it is called in messages. */
export type Wanted = {
  /** `selector`. */
  readonly noun: string;
  /** A type of CEL: `bool`. */
  readonly type: string;
  /** What it does when it has that type: `answers true or false`. */
  readonly does: string;
};

/** What an evaluation came to. */
export type Result =
  | { readonly value: Value }
  | { readonly error: string; readonly offset?: number; readonly tooCostly?: true };

/** An expression whose type is known to be right. */
export type Program = {
  readonly text: string;
  readonly node: Node;
  /** Never throws: what can't be evaluated says why, and where. */
  run(bindings: Bindings, part?: Node): Result;
};

const selector: Wanted = { noun: 'selector', type: 'bool', does: 'answers true or false' };

/** @throws {SelectorError} with the place of the first problem. */
export function compileExpression(language: Language, text: string): Expression {
  const program = compileProgram(language, text, selector);
  const evaluatePart = (part: Node, bindings: Bindings): Outcome => {
    const result = program.run(bindings, part);
    if (!('error' in result)) return { matched: result.value === true };
    const { error, tooCostly } = result;
    return { matched: false, error, ...(tooCostly && { tooCostly }) };
  };
  const { node } = program;
  return { text, node, evaluate: (bindings) => evaluatePart(node, bindings), evaluatePart };
}

/** @throws {SelectorError} with the place of the first problem. */
export function compileProgram(language: Language, text: string, wanted: Wanted): Program {
  try {
    const node = compile(language, text, wanted);
    return { text, node, run: (bindings, part = node) => run(language, text, part, bindings) };
  } catch (error) {
    throw explained(text, wanted, error);
  }
}

function compile(language: Language, text: string, { noun, type, does }: Wanted): Node {
  if (text.trim() === '') throw new Mistake('syntax', 0, `the ${noun} is empty`);
  const node = parse(text, language);
  const found = nameOf(check(node, language));
  if (found === type) return node;
  throw new Mistake('type', node.start, `a ${noun} ${does}; this has type ${found}`);
}

function run(language: Language, text: string, node: Node, bindings: Bindings): Result {
  try {
    return { value: evaluate(node, language, bindings, new Budget()) };
  } catch (error) {
    // Whatever else is thrown is a defect of ours; for the volume that asks it is an answer, too.
    if (!(error instanceof Failure)) return { error: messageOf(error) };
    if (error instanceof TooCostly) return { error: error.message, tooCostly: true };
    const { line, column } = locate(text, error.offset ?? node.at);
    return { error: `${error.message} (line ${line}, column ${column})` };
  }
}

const codes: Readonly<Record<MistakeKind, SelectorErrorCode>> = {
  syntax: 'ERR_SELECTOR_SYNTAX',
  type: 'ERR_SELECTOR_TYPE',
  limit: 'ERR_SELECTOR_LIMIT',
};

function explained(text: string, { noun }: Wanted, error: unknown): SelectorError {
  if (error instanceof Mistake)
    return new SelectorError(codes[error.kind], text, error.offset, error.message);
  const message = `the ${noun} can not be compiled: ${messageOf(error)}`;
  return new SelectorError('ERR_SELECTOR_LIMIT', text, 0, message);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
