import { type Scalar } from 'yaml';

/** Where in an expression a compiler stopped; both counted from 1. */
export type ExpressionPosition = { readonly line: number; readonly column: number };

/**
 * How far behind the start of a scalar's source the given place of its value is. The value is what is left after YAML
 * took away quotes, escapes, indentation and folding; an editor shows the source.
 *
 * @param text the whole text that the scalar was read from.
 */
export function expressionOffset(
  scalar: Scalar | undefined,
  text: string,
  position: ExpressionPosition,
): number {
  if (scalar === undefined || typeof scalar.value !== 'string') return 0;
  const [from, end] = scalar.range ?? [0, 0];
  const source = text.slice(from, end);
  if (source === '') return 0; // made of something else that stands there
  const before = scalar.value.split('\n').slice(0, position.line - 1);
  const index = before.reduce((sum, line) => sum + line.length + 1, 0) + position.column - 1;
  const places = alignValue(source, scalar.value, scalar.type ?? 'PLAIN');
  return places[Math.max(0, Math.min(index, places.length - 1))] ?? 0;
}

/** For every index of the value, and one past its end, the index in the source that it comes from. */
function alignValue(source: string, value: string, type: string): number[] {
  const places: number[] = [];
  let at = type.startsWith('BLOCK') ? source.indexOf('\n') + 1 : type.startsWith('QUOTE') ? 1 : 0;
  for (let index = 0; index < value.length;) {
    if (isSpace(value[index])) {
      // A run of white space may be folded from a longer one with line breaks and indentation.
      const run = spaceRun(value, index);
      const inSource = spaceRun(source, at);
      for (let step = 0; step < run; step += 1) places.push(at + Math.min(step, Math.max(0, inSource - 1)));
      index += run;
      at += inSource;
      continue;
    }
    at += gap(source, at, type);
    const { length, units } = sourceUnit(source, at, type);
    for (let step = 0; step < units; step += 1) places.push(at);
    index += units;
    at += length;
  }
  places.push(at);
  return places;
}

/** Source in front of a character that leaves nothing in the value: indentation, and escaped line ends. */
function gap(source: string, at: number, type: string): number {
  const spaces = spaceRun(source, at);
  const next = at + spaces;
  if (type !== 'QUOTE_DOUBLE' || !/^\\\r?\n/u.test(source.slice(next, next + 3))) return spaces;
  return spaces + 1 + gap(source, next + 1, type);
}

/** The source characters that make the next piece of a value, and the UTF-16 units it has there. */
function sourceUnit(source: string, at: number, type: string): { length: number; units: number } {
  if (type === 'QUOTE_SINGLE' && source.startsWith("''", at)) return { length: 2, units: 1 };
  if (type !== 'QUOTE_DOUBLE' || source[at] !== '\\') return { length: 1, units: 1 };
  const hexDigits = { x: 2, u: 4, U: 8 }[source[at + 1] ?? ''] ?? 0;
  const codePoint = hexDigits === 8 ? Number.parseInt(source.slice(at + 2, at + 10), 16) : 0;
  return { length: 2 + hexDigits, units: codePoint > 0xffff ? 2 : 1 };
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r';
}

function spaceRun(text: string, from: number): number {
  let end = from;
  while (isSpace(text[end])) end += 1;
  return end - from;
}
