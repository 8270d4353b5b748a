import { isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml';

import { detached } from './detached.ts';
import { type PathStep, type Problems } from './problems.ts';

/**
 * A place in a document: its node, its path, and a way to report a problem exactly there.
 *
 * Reading is tolerant: a value of the wrong type reads as missing, because the shape check has reported it already and
 * the rules that remain should still speak.
 */
export class Cursor {
  readonly node: unknown;
  readonly path: readonly PathStep[];
  readonly #document: string;
  readonly #problems: Problems;
  readonly #offset: number;

  private constructor(
    node: unknown,
    path: readonly PathStep[],
    document: string,
    problems: Problems,
    offset: number,
  ) {
    this.node = node;
    this.path = path;
    this.#document = document;
    this.#problems = problems;
    this.#offset = offset;
  }

  static root(node: Node, document: string, problems: Problems): Cursor {
    return new Cursor(node, [], document, problems, node.range?.[0] ?? 0);
  }

  /** The field, or undefined when it is not there. */
  get(field: string): Cursor | undefined {
    if (!isMap(this.node)) return undefined;
    const pair = this.node.items.find(({ key }) => isScalar(key) && key.value === field);
    if (pair === undefined) return undefined;
    return this.#child(pair.value, field, isScalar(pair.key) ? pair.key.range?.[0] : undefined);
  }

  items(): Cursor[] {
    if (!isSeq(this.node)) return [];
    return this.node.items.map((item, index) => this.#child(item, index, undefined));
  }

  /** Field names, in the order of the text. */
  fields(): string[] {
    if (!isMap(this.node)) return [];
    return this.node.items.flatMap(({ key }) => (isScalar(key) ? String(key.value) : []));
  }

  text(): string | undefined {
    const value = this.scalar()?.value;
    return typeof value === 'string' ? detached(value) : undefined;
  }

  boolean(): boolean | undefined {
    const value = this.scalar()?.value;
    return typeof value === 'boolean' ? value : undefined;
  }

  integer(): number | undefined {
    const value = this.scalar()?.value;
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
  }

  /** A text, or a number exactly as it was written: a size must not pass through floating point. */
  literal(): string | undefined {
    const scalar = this.scalar();
    const text = typeof scalar?.value === 'number' ? scalar.source : scalar?.value;
    return typeof text === 'string' ? detached(text) : undefined;
  }

  isMapping(): boolean {
    return isMap(this.node);
  }

  isList(): boolean {
    return isSeq(this.node);
  }

  scalar(): Scalar | undefined {
    return isScalar(this.node) ? this.node : undefined;
  }

  /** Reports a problem here, or `ahead` characters further. */
  problem(code: string, message: string, ahead = 0): void {
    const offset = this.#offset + ahead;
    this.#problems.add({ code, message, path: this.path, document: this.#document, offset });
  }

  /** Reports something that works and that its author would want to know, here or `ahead` characters further. */
  warning(code: string, message: string, ahead = 0): void {
    const offset = this.#offset + ahead;
    this.#problems.warn({ code, message, path: this.path, document: this.#document, offset });
  }

  /** Reports a problem at a child that is perhaps not there, then at this place but with the child's path. */
  problemAt(field: string, code: string, message: string): void {
    const child = this.get(field) ?? this.#child(undefined, field, this.#offset);
    child.problem(code, message);
  }

  /** Reports a problem at a key of this mapping, which may be shown by another name. */
  problemAtKey(shown: string, offset: number, code: string, message: string): void {
    this.#problems.add({ code, message, path: [...this.path, shown], document: this.#document, offset });
  }

  #child(node: unknown, step: PathStep, keyOffset: number | undefined): Cursor {
    const own = isMap(node) || isSeq(node) || isScalar(node) ? node.range?.[0] : undefined;
    // An empty value has no place of its own that a user would recognise: its key has.
    const empty = isScalar(node) && node.value === null && keyOffset !== undefined;
    const offset = empty ? keyOffset : (own ?? keyOffset ?? this.#offset);
    return new Cursor(node, [...this.path, step], this.#document, this.#problems, offset);
  }
}
