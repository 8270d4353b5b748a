import { type ASTNode, type Environment, EvaluationError, TypeError } from '@marcbachmann/cel-js';
import { RE2JS } from 're2js';

import type { Checker, Evaluator, MacroCall } from './selector-macro.ts';

/**
 * `string.matches(pattern)` with RE2's syntax and its linear time. The library has it with JavaScript's backtracking
 * engine, where a pattern in a document could stop the node.
 *
 * A macro is looked up before any function of the same name and sees the call whatever it is called on; `bytes` is only
 * the receiver that the library's own `string.matches` does not occupy.
 */
export function registerMatches(environment: Environment): void {
  environment.registerFunction('bytes.matches(ast): bool', ({ args, receiver, ast }: MacroCall) => {
    const [pattern] = args;
    if (pattern === undefined || receiver === undefined) {
      throw new TypeError({ message: 'matches() is called on a string', node: ast });
    }
    let fixed: RE2JS | undefined;
    return {
      async: false,
      typeCheck(checker: Checker, _macro: unknown, context: unknown) {
        requireString(checker.check(receiver, context).name, receiver, 'matches() is called on a string');
        requireString(checker.check(pattern, context).name, pattern, 'the pattern of matches() is a string');
        if (pattern.op === 'value') fixed = compile(String(pattern.args), pattern, TypeError);
        return checker.getType('bool');
      },
      evaluate(evaluator: Evaluator, _macro: unknown, context: unknown): boolean {
        const expression =
          fixed ?? compile(String(evaluator.run(pattern, context)), pattern, EvaluationError);
        return expression.test(String(evaluator.run(receiver, context)));
      },
    };
  });
}

function requireString(type: string, node: ASTNode, message: string): void {
  if (type !== 'string' && type !== 'dyn') throw new TypeError({ message: `${message}, not ${type}`, node });
}

function compile(pattern: string, node: ASTNode, Failure: typeof TypeError | typeof EvaluationError): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure({ message: `the pattern of matches() is not RE2: ${reason}`, node, cause: error });
  }
}
