import { query } from 'jsonpath-rfc9535';

type Json = Parameters<typeof query>[0];

/** One step of a path: a segment of RFC 9535, or quoted names, each of which may be a path of its own. */
type Step = string | { readonly names: readonly string[] };

/**
 * A path to values in an object: RFC 9535, or what kubectl reads: names with hyphens, `\.` for a dot in a name, a union of paths
 * (`['metadata.name','spec.size']`). What is missing is no value, and no error.
 */
export class ObjectPath {
  /** It begins with the key `items`, as what is asked of a list does. */
  readonly isOfItems: boolean;
  readonly #fromRoot: boolean;
  readonly #steps: readonly Step[];

  /** @throws {Error} whose message says what was not understood. */
  constructor(text: string) {
    this.#fromRoot = text.startsWith('$');
    const bare = text.replace(/^[$@]/u, '');
    const rest = bare === '' || /^[.[]/u.test(bare) ? bare : `.${bare}`;
    this.isOfItems = /^(?:\.items|\[['"]items['"]\])(?![\w-])/u.test(rest);
    this.#steps = rest === '' || rest === '.' ? [] : stepsOf(rest);
  }

  /** @param root what `$` means; where it is not given, the same object. */
  find(value: unknown, root: unknown = value): unknown[] {
    let found: unknown[] = [this.#fromRoot ? root : value];
    for (const step of this.#steps)
      found =
        typeof step === 'string'
          ? found.flatMap((each) => query(each as Json, `$${step}`) as unknown[])
          : step.names.flatMap((name) => found.flatMap((each) => named(each, name)));
    return found;
  }
}

const quoted = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/u;
const quotedList = new RegExp(`^\\s*(?:${quoted.source})(?:\\s*,\\s*(?:${quoted.source}))*\\s*$`, 'u');

function stepsOf(text: string): Step[] {
  const isPlain = isQuery(text);
  const steps = isPlain ? parsed(text, [text]) : parsed(text);
  const isUnion = steps.some(
    (step) => typeof step === 'object' && step.names.some((name) => name.includes('.')),
  );
  return isPlain && !isUnion ? [text] : steps;
}

/** The steps as kubectl reads them. @throws {Error} where there is nothing else to take. */
function parsed(text: string, otherwise?: Step[]): Step[] {
  try {
    const steps = split(text);
    for (const step of steps) if (typeof step === 'string') query(null, `$${step}`); // throws
    return steps;
  } catch (error) {
    if (otherwise === undefined) throw error;
    return otherwise;
  }
}

function split(text: string): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < text.length;) {
    const [whole, dots = ''] = /^(\.{0,2})(?:\[|\*|(?:[^.[\]\s\\]|\\.)+)/su.exec(text.slice(at)) ?? [];
    if (whole === undefined || (dots === '') !== text.startsWith('[', at))
      throw new Error(`unexpected "${text.slice(at)}"`);
    const word = whole.slice(dots.length);
    if (word === '[') {
      const end = closing(text, at + dots.length);
      steps.push(bracketed(dots, text.slice(at + dots.length + 1, end)));
      at = end + 1;
    } else {
      steps.push((dots === '..' ? '..' : '') + (word === '*' ? '[*]' : `[${quote(unescaped(word))}]`));
      at += whole.length;
    }
  }
  return steps;
}

function isQuery(text: string): boolean {
  try {
    query(null, `$${text}`);
    return true;
  } catch {
    return false;
  }
}

function bracketed(dots: string, inner: string): Step {
  const below = dots === '..' ? '..' : '';
  if (below === '' && quotedList.test(inner))
    return { names: (inner.match(new RegExp(quoted, 'gu')) ?? []).map((name) => name.slice(1, -1)) };
  return `${below}[${inner.trimStart().startsWith('?') ? filter(inner) : inner}]`;
}

/** Names in a filter as RFC 9535 has them: `@.foo-bar` becomes `@['foo-bar']`. */
function filter(text: string): string {
  const parts = new RegExp(`(${quoted.source})|\\.((?:[^\\s.[\\]()=!<>&|,'"*\\\\]|\\\\.)+)`, 'gsu');
  return text.replaceAll(parts, (all, literal: string | undefined, name: string | undefined) =>
    literal !== undefined || name === undefined || /^\d/u.test(name) ? all : `[${quote(unescaped(name))}]`,
  );
}

/** Where the bracket that opens there is closed. */
function closing(text: string, open: number): number {
  let depth = 0;
  const tokens = new RegExp(`${quoted.source}|[[\\]]`, 'gu');
  tokens.lastIndex = open;
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    if (token[0] === '[') depth += 1;
    if (token[0] === ']') depth -= 1;
    if (depth === 0) return token.index;
  }
  throw new Error(`"${text.slice(open)}" has no end`);
}

/** The value of a key, or where there is no such key, of a path with dots. */
function named(value: unknown, name: string): unknown[] {
  const key = unescaped(name);
  if (isObject(value) && Object.hasOwn(value, key)) return [value[key]];
  const keys = name.split(/(?<!\\)\./u).map(unescaped);
  let found = value;
  for (const each of keys) {
    if (!isObject(found) || !Object.hasOwn(found, each)) return [];
    found = found[each];
  }
  return [found];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gsu, '$1');
}

function quote(name: string): string {
  return `'${name.replaceAll(/['\\]/gu, String.raw`\$&`)}'`;
}
