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

/** What an expression must come to, and what it is called in messages. */
export type Wanted = {
  /** `selector`. */
  readonly noun: string;
  /** A type of CEL: `bool`. */
  readonly type: string;
  /** What it does when it has that type: `answers true or false`. */
  readonly does: string;
};

/** An expression whose type is known to be right. */
export type Program = {
  readonly text: string;
  readonly ast: ASTNode;
  /** Never throws because of the expression: what can't be evaluated says why, and where. */
  run(bindings: Readonly<Record<string, unknown>>): { readonly value: unknown } | { readonly error: string };
};

const selector: Wanted = { noun: 'selector', type: 'bool', does: 'answers true or false' };

/** @throws {SelectorError} with the place of the first problem. */
export function compileExpression(language: Language, text: string): Expression {
  const program = compileProgram(language, text, selector);
  return {
    text,
    ast: program.ast,
    evaluate: (bindings) => {
      const result = program.run(bindings);
      if ('error' in result) return { matched: false, error: result.error };
      const { value } = result;
      return typeof value === 'boolean' ? { matched: value } : { matched: false, error: 'no boolean result' };
    },
  };
}

/** @throws {SelectorError} with the place of the first problem. */
export function compileProgram(language: Language, text: string, wanted: Wanted): Program {
  try {
    return compile(language, text, wanted);
  } catch (error) {
    throw explained(language, text, error);
  }
}

function compile({ environment }: Language, text: string, { noun, type, does }: Wanted): Program {
  if (text.trim() === '') {
    throw new ParseError({ message: `the ${noun} is empty`, range: { start: 0, end: 0 } });
  }
  const { ast } = environment.parse(text);
  checkIntegers([...nodesOf(ast)]);
  const program = environment.parse(redirectHas(text, nodesOf(ast)));
  const checked = program.check();
  if (!checked.valid)
    throw checked.error ?? new TypeError({ message: `the ${noun} is not valid`, node: ast });
  if (checked.type !== type) {
    const message = `a ${noun} ${does}; this has type ${checked.type}`;
    throw new TypeError({ message, node: ast, range: ast.range });
  }
  return { text, ast, run: (bindings) => run(program, bindings, text) };
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

function run(
  program: ParseResult,
  bindings: Readonly<Record<string, unknown>>,
  text: string,
): ReturnType<Program['run']> {
  try {
    return { value: program(bindings) };
  } catch (error) {
    // The library also throws plain errors, and the stack may overflow: whatever it is, it is this answer's alone.
    if (!(error instanceof EvaluationError)) return { error: messageOf(error) };
    const { range, summary } = error;
    if (range === undefined) return { error: summary };
    const { line, column } = locate(text, range.start);
    return { error: `${summary} (line ${line}, column ${column})` };
  }
}

/** The library's error in our words: names are compared with what there is. */
function explained({ variables }: Language, text: string, error: unknown): SelectorError {
  if (error instanceof SelectorError) return error;
  // The library also throws plain errors, and the stack may overflow: they name no place, and are the text's fault all the same.
  if (!(error instanceof ParseError || error instanceof TypeError))
    return new SelectorError('ERR_SELECTOR_TYPE', text, 0, messageOf(error));
  const code: SelectorErrorCode = error instanceof ParseError ? 'ERR_SELECTOR_SYNTAX' : 'ERR_SELECTOR_TYPE';
  const offset = Math.min(error.range?.start ?? 0, text.length);
  const node = error.node !== undefined && 'op' in error.node ? (error.node as ASTNode) : undefined;
  return new SelectorError(code, text, offset, reason(variables, text, offset, error, node));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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
