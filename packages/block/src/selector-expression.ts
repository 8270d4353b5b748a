import {
  type ASTNode,
  type Environment,
  EvaluationError,
  ParseError,
  type ParseResult,
  TypeError,
} from '@marcbachmann/cel-js';

import { closest } from './selector-closest.ts';
import { SelectorError, type SelectorErrorCode, locate } from './selector-error.ts';
import { redirectHas } from './selector-has.ts';
import { unitConstants } from './selector-language.ts';
import { nodesOf } from './selector-nodes.ts';

/** A CEL environment and what its messages need to know about it. */
export type Language = {
  readonly environment: Environment;
  /** The variables, with the fields of those that have any. */
  readonly variables: Readonly<Record<string, readonly string[]>>;
};

export type Outcome = { readonly matched: boolean; readonly error?: string };

/** An expression that is known to be a yes or no question over the variables of its language. */
export type Expression = {
  readonly text: string;
  readonly ast: ASTNode;
  /** Never throws: an expression that can't be evaluated does not match, and says why. */
  evaluate(bindings: Readonly<Record<string, unknown>>): Outcome;
};

const largestInt = (1n << 63n) - 1n;

/** @throws {SelectorError} with the place of the first problem. */
export function compileExpression(language: Language, text: string): Expression {
  try {
    return compile(language, text);
  } catch (error) {
    throw explained(language, text, error);
  }
}

function compile({ environment }: Language, text: string): Expression {
  if (text.trim() === '') {
    throw new ParseError({ message: 'the selector is empty', range: { start: 0, end: 0 } });
  }
  const { ast } = environment.parse(text);
  checkIntegers([...nodesOf(ast)]);
  const program = environment.parse(redirectHas(text, nodesOf(ast)));
  const checked = program.check();
  if (!checked.valid)
    throw checked.error ?? new TypeError({ message: 'the selector is not valid', node: ast });
  if (checked.type !== 'bool') {
    const message = `a selector answers true or false; this has type ${checked.type}`;
    throw new TypeError({ message, node: ast, range: ast.range });
  }
  return { text, ast, evaluate: (bindings) => evaluate(program, bindings, text) };
}

/** The parser takes any number of digits; CEL has 64 bits, and a minus sign belongs to its literal. */
function checkIntegers(nodes: readonly ASTNode[]): void {
  const negated = new Set(nodes.flatMap((node) => (node.op === '-_' ? [node.args] : [])));
  for (const node of nodes) {
    if (node.op !== 'value' || typeof node.args !== 'bigint') continue;
    if (node.args <= largestInt + (negated.has(node) ? 1n : 0n)) continue;
    const message = `${node.args} does not fit into 64 bits with a sign; write ${node.args}u`;
    throw new ParseError({ message, node });
  }
}

function evaluate(program: ParseResult, bindings: Readonly<Record<string, unknown>>, text: string): Outcome {
  try {
    const result: unknown = program(bindings);
    return typeof result === 'boolean' ? { matched: result } : { matched: false, error: 'no boolean result' };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const { range, summary } = error;
    if (range === undefined) return { matched: false, error: summary };
    const { line, column } = locate(text, range.start);
    return { matched: false, error: `${summary} (line ${line}, column ${column})` };
  }
}

/** The library's error in our words: names are compared with what there is. */
function explained({ variables }: Language, text: string, error: unknown): unknown {
  if (!(error instanceof ParseError || error instanceof TypeError)) return error;
  const code: SelectorErrorCode = error instanceof ParseError ? 'ERR_SELECTOR_SYNTAX' : 'ERR_SELECTOR_TYPE';
  const offset = Math.min(error.range?.start ?? 0, text.length);
  const node = error.node !== undefined && 'op' in error.node ? (error.node as ASTNode) : undefined;
  return new SelectorError(code, text, offset, reason(variables, text, offset, error, node));
}

function reason(
  variables: Language['variables'],
  text: string,
  offset: number,
  error: ParseError | TypeError,
  node: ASTNode | undefined,
): string {
  if (error.code === 'unexpected_token' && text.slice(offset).trim() === '') {
    return 'the expression ends where something is missing';
  }
  if (error.code === 'unknown_variable' && node?.op === 'id') {
    const known = [...Object.keys(variables), ...Object.keys(unitConstants)];
    const near = closest(node.args, known);
    const hint =
      near === undefined ? `there are ${Object.keys(variables).join(', ')}` : `did you mean ${near}?`;
    return `unknown name ${node.args}; ${hint}`;
  }
  if (error.code === 'no_such_key' && node?.op === '.' && node.args[0].op === 'id') {
    const [{ args: variable }, field] = node.args;
    const fields = variables[variable] ?? [];
    const near = closest(field, fields);
    const hint = near === undefined ? `its fields are ${fields.join(', ')}` : `did you mean ${near}?`;
    return `${variable} has no field ${field}; ${hint}`;
  }
  return error.summary;
}
