import { type ASTNode, type Environment, EvaluationError, TypeError } from '@marcbachmann/cel-js';
import { UnsignedInt } from '@marcbachmann/cel-js/evaluator';

import type { Checker, Evaluator, MacroCall } from './selector-macro.ts';

/** The name under which our `has` is known to the library. Of equal length, so that no position moves. */
const ownName = 'HAS';

/**
 * `has(disk.uuid)` asks whether a fact is known: a field with its zero value counts as not set, as protobuf has it. The
 * library's own macro says true for every declared field and can't be replaced, so calls go to another name.
 */
export function registerHas(environment: Environment): void {
  environment.registerFunction(`${ownName}(ast): bool`, ({ args, ast }: MacroCall) => {
    const [field] = args;
    if (field?.op !== '.') {
      throw new TypeError({ message: 'has() takes a field, like has(disk.uuid)', node: field ?? ast });
    }
    let declared = false;
    return {
      async: false,
      typeCheck(checker: Checker, _macro: unknown, context: unknown) {
        checker.check(field, context);
        declared = ['Disk', 'Volume'].includes(checker.check(field.args[0], context).name);
        return checker.getType('bool');
      },
      evaluate(evaluator: Evaluator, _macro: unknown, context: unknown): boolean {
        try {
          const value = evaluator.run(field, context);
          return !declared || !isZero(value);
        } catch (error) {
          if (error instanceof EvaluationError && error.code === 'no_such_key') return false;
          throw error;
        }
      },
    };
  });
}

function isZero(value: unknown): boolean {
  if (value instanceof UnsignedInt) return value.value === 0n;
  if (Array.isArray(value)) return value.length === 0;
  return value === '' || value === false || value === 0n;
}

/** The same text with each call of `has` going to ours. */
export function redirectHas(text: string, nodes: Iterable<ASTNode>): string {
  let redirected = text;
  for (const node of nodes) {
    if (node.op !== 'call') continue;
    if (node.args[0] === ownName) {
      throw new TypeError({ message: `there is no function ${ownName}`, node });
    }
    if (node.args[0] !== 'has') continue;
    const { start } = node.range;
    redirected = redirected.slice(0, start) + ownName + redirected.slice(start + ownName.length);
  }
  return redirected;
}
