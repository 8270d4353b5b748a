import { isMap, isScalar, isSeq, type Document as YamlDocument, type Scalar } from 'yaml';

/**
 * The scalar at the end of a text whose quotes are never closed, which the parser takes for closed where the last character is a
 * quote that is escaped: `"abc\"` and `'abc''`.
 */
export function openQuote({ contents }: YamlDocument, text: string): Scalar | undefined {
  if (!text.endsWith('"') && !text.endsWith("'")) return undefined;
  const scalar = lastOf(contents);
  const [from, end] = scalar?.range ?? [0, 0];
  if (scalar === undefined || end !== text.length) return undefined;
  const inner = text.slice(from + 1, -1);
  if (scalar.type === 'QUOTE_DOUBLE') return /(?<!\\)(?:\\\\)*\\$/u.test(inner) ? scalar : undefined;
  if (scalar.type !== 'QUOTE_SINGLE') return undefined;
  return inner.replaceAll("''", '').endsWith("'") ? scalar : undefined;
}

function lastOf(node: unknown): Scalar | undefined {
  if (isScalar(node)) return node;
  if (isSeq(node)) return lastOf(node.items.at(-1));
  const pair = isMap(node) ? node.items.at(-1) : undefined;
  return pair === undefined ? undefined : lastOf(pair.value ?? pair.key);
}
