import type { Operator } from './nodes.ts';
import { bool, dyn, fits, join, type Type } from './types.ts';

/** The type of what an operator gives; undefined when it does not take operands of these types. */
export function binaryType(operator: Operator, left: Type, right: Type): Type | undefined {
  switch (operator) {
    case '==':
    case '!=':
      return comparable(left, right) ? bool : undefined;
    case 'in':
      return isMember(left, right) ? bool : undefined;
    case '<':
    case '<=':
    case '>':
    case '>=':
      return isOrdered(left, right) ? bool : undefined;
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return arithmeticType(operator, left, right);
    default:
      return operator satisfies never;
  }
}

/** Whether values of the two can be equal. Standard CEL wants the same type; here `int` and `uint` meet. */
export function comparable(left: Type, right: Type): boolean {
  if (isInteger(left) && isInteger(right)) return true;
  if (left.kind === 'list' && right.kind === 'list') return comparable(left.element, right.element);
  if (left.kind === 'map' && right.kind === 'map')
    return comparable(left.key, right.key) && comparable(left.value, right.value);
  return fits(left, right);
}

function isMember(left: Type, right: Type): boolean {
  if (right.kind === 'list') return comparable(left, right.element);
  return right.kind === 'map' ? comparable(left, right.key) : right.kind === 'dyn';
}

const ordered = new Set(['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration', 'dyn']);

function isOrdered(left: Type, right: Type): boolean {
  if (!ordered.has(left.kind) || !ordered.has(right.kind)) return false;
  return fits(left, right) || (isNumber(left) && isNumber(right));
}

const integers = ['int', 'uint'];
/** What each operator takes on both sides. */
const operands: Readonly<Record<string, readonly string[]>> = {
  '+': [...integers, 'double', 'string', 'bytes', 'list', 'duration'],
  '-': [...integers, 'double', 'duration'],
  '*': [...integers, 'double'],
  '/': [...integers, 'double'],
  '%': integers,
};

function arithmeticType(operator: '+' | '-' | '*' | '/' | '%', left: Type, right: Type): Type | undefined {
  if (left.kind === 'timestamp' || right.kind === 'timestamp') return momentType(operator, left, right);
  const known = left.kind === 'dyn' ? right : left;
  if (known.kind === 'dyn') return dyn;
  if (operands[operator]?.includes(known.kind) !== true) return undefined;
  // With an `int` may stand a `uint`, with a duration a timestamp.
  if (left.kind === 'dyn' || right.kind === 'dyn')
    return isInteger(known) || known.kind === 'duration' ? dyn : known.kind === 'list' ? dyn : known;
  if (isInteger(left) && isInteger(right)) return left.kind === right.kind ? left : { kind: 'uint' };
  return left.kind === right.kind ? join(left, right) : undefined;
}

function momentType(operator: string, left: Type, right: Type): Type | undefined {
  if (left.kind === 'dyn' || right.kind === 'dyn')
    return operator === '+' || operator === '-' ? dyn : undefined;
  const isLater = left.kind === 'timestamp' && right.kind === 'duration';
  if (operator === '+') {
    const isMoment = isLater || (left.kind === 'duration' && right.kind === 'timestamp');
    return isMoment ? { kind: 'timestamp' } : undefined;
  }
  if (operator !== '-' || left.kind !== 'timestamp') return undefined;
  if (isLater) return { kind: 'timestamp' };
  return right.kind === 'timestamp' ? { kind: 'duration' } : undefined;
}

function isInteger({ kind }: Type): boolean {
  return kind === 'int' || kind === 'uint';
}

function isNumber(type: Type): boolean {
  return isInteger(type) || type.kind === 'double';
}
