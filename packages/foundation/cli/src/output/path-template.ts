import { ObjectPath } from './object-path.ts';

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'path'; readonly path: ObjectPath }
  | { readonly kind: 'range'; readonly path: ObjectPath; readonly parts: Part[] };

/**
 * Text with paths in braces, as kubectl reads it: `{.metadata.id}{"\t"}{.spec.size}`, `{range .items[*]}…{end}`.
 *
 * @see docs/decisions/jsonpath.md
 */
export class PathTemplate {
  readonly #parts: readonly Part[];

  /** @throws {Error} whose message says what was not understood. */
  constructor(text: string) {
    this.#parts = parse(text);
  }

  /** The path, when it is nothing but one. */
  get onlyPath(): ObjectPath | undefined {
    const [first, ...others] = this.#parts;
    return first?.kind === 'path' && others.length === 0 ? first.path : undefined;
  }

  /** It is about a list, whose objects are its `items`. */
  get isOfItems(): boolean {
    return this.#parts.some((part) => part.kind !== 'text' && part.path.isOfItems);
  }

  /** @param show prints a value: the text of the template itself is the user's own, and stays. */
  render(root: unknown, show: (value: unknown) => string): string {
    return renderAll(this.#parts, root, root, show);
  }
}

function renderAll(
  parts: readonly Part[],
  value: unknown,
  root: unknown,
  show: (value: unknown) => string,
): string {
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      const found = part.path.find(value, root);
      return part.kind === 'path'
        ? found.map(show).join(' ')
        : found.map((each) => renderAll(part.parts, each, root, show)).join('');
    })
    .join('');
}

const braces = /\{((?:[^'"{}]|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")*)\}/suy;
const literal = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')$/su;

function parse(text: string): Part[] {
  const all: Part[] = [];
  const open: Part[][] = [all];
  for (let at = 0; at < text.length;) {
    const parts = open.at(-1)!;
    braces.lastIndex = at;
    const found = braces.exec(text);
    if (found === null) {
      const next = text.indexOf('{', at + 1);
      if (text[at] === '{') throw new Error(`"${text.slice(at)}" has no end`);
      parts.push({ kind: 'text', text: text.slice(at, next === -1 ? text.length : next) });
      at = next === -1 ? text.length : next;
      continue;
    }
    at = braces.lastIndex;
    const inner = (found[1] ?? '').trim();
    const range = /^range\s+(.+)$/su.exec(inner)?.[1];
    if (range !== undefined) {
      const inside: Part[] = [];
      parts.push({ kind: 'range', path: new ObjectPath(range), parts: inside });
      open.push(inside);
    } else if (inner === 'end') {
      if (open.length === 1) throw new Error('there is an {end} without a {range}');
      open.pop();
    } else parts.push(partOf(inner));
  }
  if (open.length > 1) throw new Error('there is a {range} without an {end}');
  return all;
}

function partOf(inner: string): Part {
  if (inner === '') throw new Error('there is nothing between the braces');
  const [isText, double, single] = literal.exec(inner) ?? [];
  if (isText !== undefined) return { kind: 'text', text: unescaped(double ?? single ?? '') };
  if (/^(?:-?\d+(?:\.\d+)?|true|false)$/u.test(inner)) return { kind: 'text', text: inner };
  return { kind: 'path', path: new ObjectPath(inner) };
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u([\da-fA-F]{4})|(.))/gsu, (_all, hex: string | undefined, letter: string) =>
    hex === undefined ? (escapes[letter] ?? letter) : String.fromCodePoint(Number.parseInt(hex, 16)),
  );
}
