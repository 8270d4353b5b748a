import { isMap, isScalar, isSeq, Scalar, type Node, type Pair } from 'yaml';

import { type Secret } from '@nodecore/sys/pure';

import { detached } from './detached.ts';
import { type Findings, type PathStep } from './problems.ts';
import { type ExpressionPosition, expressionOffset } from './scalar-position.ts';
import { type Vault } from './vault.ts';

/** What belongs to all places of one document. */
export type Reading = {
  /** `kind/name`, for findings. */
  readonly document: string;
  readonly problems: Findings;
  /** Takes the secrets over; places without one are only looked at. */
  readonly vault?: Vault;
  /** Milliseconds since the epoch, for warnings about certificates. */
  readonly nowMs?: number;
};

/**
 * A place in a document: its node, its path, and a way to report a finding exactly there.
 *
 * Reading is tolerant: a value of the wrong type reads as missing. The path is spelled out only where something is reported.
 */
export class Place {
  readonly node: unknown;
  readonly reading: Reading;
  readonly #parent: Place | undefined;
  readonly #step: PathStep;
  readonly #offset: number;

  private constructor(node: unknown, above: Place | Reading, step: PathStep, offset: number) {
    this.node = node;
    this.#parent = above instanceof Place ? above : undefined;
    this.reading = above instanceof Place ? above.reading : above;
    this.#step = step;
    this.#offset = offset;
  }

  /** The first place of a document. */
  static root(node: Node, document: string, problems: Findings, more: Partial<Reading> = {}): Place {
    return new Place(node, { ...more, document, problems }, '', node.range?.[0] ?? 0);
  }

  /** Whether this is the document itself. */
  get isRoot(): boolean {
    return this.#parent === undefined;
  }

  /** From the document to here. */
  get path(): readonly PathStep[] {
    const steps: PathStep[] = [];
    // oxlint-disable-next-line typescript/no-this-alias, unicorn/no-this-assignment -- where the walk up begins
    let at: Place = this;
    while (at.#parent !== undefined) {
      steps.push(at.#step);
      at = at.#parent;
    }
    return steps.toReversed();
  }

  /** The field, or undefined when it is not there. */
  get(field: string): Place | undefined {
    if (!isMap(this.node)) return undefined;
    for (const pair of this.node.items)
      if (isScalar(pair.key) && pair.key.value === field) return this.#field(pair, field);
    return undefined;
  }

  /** A place below this one. One that is not there is shown at the last that is, with its own path. */
  at(...steps: readonly PathStep[]): Place {
    // oxlint-disable-next-line typescript/no-this-alias, unicorn/no-this-assignment -- where the walk down begins
    let place: Place = this;
    for (const step of steps) {
      const next: Place | undefined = typeof step === 'number' ? place.items()[step] : place.get(step);
      place = next ?? new Place(undefined, place, step, place.#offset);
    }
    return place;
  }

  /** A place below this one, or undefined when it is not there. */
  find(path: readonly PathStep[]): Place | undefined {
    // oxlint-disable-next-line typescript/no-this-alias, unicorn/no-this-assignment -- where the walk down begins
    let place: Place | undefined = this;
    for (const step of path) place = typeof step === 'number' ? place?.items()[step] : place?.get(step);
    return place;
  }

  /** In the text. */
  get offset(): number {
    return this.#offset;
  }

  items(): Place[] {
    if (!isSeq(this.node)) return [];
    return this.node.items.map((item, index) => this.#child(item, index, undefined));
  }

  /** Fields with their names, in the order of the text. */
  entries(): [name: string, place: Place][] {
    if (!isMap(this.node)) return [];
    return this.node.items.map((pair) => {
      const name = isScalar(pair.key) ? String(pair.key.value) : '';
      return [name, this.#field(pair, name)];
    });
  }

  /** The same, one after the other. */
  each(visit: (name: string, place: Place) => void): void {
    if (!isMap(this.node)) return;
    for (const pair of this.node.items) {
      const name = isScalar(pair.key) ? String(pair.key.value) : '';
      visit(name, this.#field(pair, name));
    }
  }

  /** Field names, in the order of the text. */
  fields(): string[] {
    return this.entries().map(([name]) => name);
  }

  /** The name of a field as a value of its own, for rules on names that the user chooses; findings show it as `shown`. */
  name(name: string, shown: string): Place {
    const key = isMap(this.node)
      ? this.node.items.find((pair) => isScalar(pair.key) && pair.key.value === name)?.key
      : undefined;
    return this.#child(key, shown, undefined);
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

  /** A field that is there without a value. */
  isEmpty(): boolean {
    return isScalar(this.node) && this.node.value === null;
  }

  scalar(): Scalar | undefined {
    return isScalar(this.node) ? this.node : undefined;
  }

  /** How far behind the start of this value a place of its text is: quotes, escapes and indentation are gone from the text. */
  ahead(position: ExpressionPosition): number {
    return expressionOffset(this.scalar(), this.reading.problems.text, position);
  }

  /** Takes the secrets of the document over. */
  get vault(): Vault {
    const { vault } = this.reading;
    if (vault === undefined) throw new TypeError('this place is only looked at: it keeps no secrets');
    return vault;
  }

  /** Milliseconds since the epoch, for warnings about certificates. */
  get nowMs(): number {
    return this.reading.nowMs ?? Date.now();
  }

  /** Hands a text over to the configuration, which wipes it in the end. */
  keep(text: string): Secret {
    return this.vault.keep(text);
  }

  /** Reports a problem here, or `ahead` characters further. */
  problem(code: string, message: string, ahead = 0): void {
    this.#add(code, message, this.#offset + ahead);
  }

  /** Reports something that works and that its author would want to know, here or `ahead` characters further. */
  warning(code: string, message: string, ahead = 0): void {
    const { problems, document } = this.reading;
    problems.warn({ code, message, path: this.path, document, offset: this.#offset + ahead });
  }

  /** Reports that something else is expected here: `a list`. */
  wrongType(expected: string): undefined {
    const message = this.isEmpty() ? 'empty: give a value or leave the field out' : `must be ${expected}`;
    this.problem('wrong_type', message);
    return undefined;
  }

  /** Reports a problem at a child that is perhaps not there, then at this place but with the child's path. */
  problemAt(field: string, code: string, message: string): void {
    this.at(field).problem(code, message);
  }

  /** Reports a problem at the key of this field, which is shown by another name. */
  problemAtKey(name: string, shown: string, code: string, message: string): void {
    const pair = isMap(this.node)
      ? this.node.items.find(({ key }) => isScalar(key) && key.value === name)
      : undefined;
    const offset = isScalar(pair?.key) ? (pair.key.range?.[0] ?? 0) : 0;
    new Place(undefined, this, shown, offset).#add(code, message, offset);
  }

  #add(code: string, message: string, offset: number): void {
    const { problems, document } = this.reading;
    problems.add({ code, message, path: this.path, document, offset });
  }

  #field(pair: Pair, name: string): Place {
    return this.#child(pair.value, name, pair.key);
  }

  #child(node: unknown, step: PathStep, key: unknown): Place {
    const isOne = isScalar(node);
    const own = isOne || isMap(node) || isSeq(node) ? node.range?.[0] : undefined;
    // An empty value has no place of its own that a user would recognise: its key has.
    const isEmpty = own === undefined || (isOne && node.value === null);
    const offset = isEmpty && isScalar(key) ? key.range?.[0] : undefined;
    return new Place(node, this, step, offset ?? own ?? this.#offset);
  }
}
