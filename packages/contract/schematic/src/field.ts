import { isAlias, isMap, isScalar, isSeq, type Node, Scalar } from 'yaml';

import { type Position, SchematicError, type SchematicErrorCode } from './errors.ts';
import { resolvePlain } from './plain.ts';
import type { OptionValue } from './schematic.ts';

/** One value of the submitted text with its field and place; reads it as what it should be, or says where it isn't. */
export class Field {
  readonly #node: Node | null;
  readonly #name: string;
  readonly #offset: number;
  readonly #positionOf: (offset: number) => Position;

  constructor(node: Node | null, name: string, offset: number, positionOf: (offset: number) => Position) {
    this.#node = node;
    this.#name = name;
    this.#offset = node?.range?.[0] ?? offset;
    this.#positionOf = positionOf;
    if (isAlias(node) || (node !== null && node.anchor !== undefined))
      this.wrong('anchors and aliases are not taken', 'ERR_SCHEMATIC_SYNTAX');
    if (node?.tag !== undefined) this.wrong('tags are not taken', 'ERR_SCHEMATIC_SYNTAX');
  }

  /** Throws the error of this place. */
  wrong(what: string, code: SchematicErrorCode = 'ERR_SCHEMATIC_VALUE'): never {
    throw new SchematicError(code, this.#positionOf(this.#offset), this.#name, what);
  }

  #wrongType(what: string): never {
    return this.wrong(`must be ${what}`, 'ERR_SCHEMATIC_FIELD');
  }

  isNull(): boolean {
    const node = this.#node;
    return (
      node === null ||
      (isScalar(node) && node.type === Scalar.PLAIN && resolvePlain(String(node.value)).type === 'null')
    );
  }

  /** The values of a map by their names; none when it is null. */
  entries(): readonly { readonly name: string; readonly value: Field; readonly key: Field }[] {
    if (this.isNull()) return [];
    const node = this.#node;
    if (!isMap(node)) return this.#wrongType('a map');
    const seen = new Set<string>();
    return node.items.map((pair) => {
      const key = new Field(pair.key as Node | null, this.#name, this.#offset, this.#positionOf);
      const name = key.text();
      const path = this.#name === '' ? name : `${this.#name}.${name}`;
      const named = new Field(pair.key as Node | null, path, this.#offset, this.#positionOf);
      if (seen.has(name)) named.wrong('is there twice', 'ERR_SCHEMATIC_FIELD');
      seen.add(name);
      return {
        name,
        value: new Field(pair.value as Node | null, path, named.#offset, this.#positionOf),
        key: named,
      };
    });
  }

  /** The fields of a map, of which no other is known. */
  fields<const Name extends string>(names: readonly Name[]): Partial<Record<Name, Field>> {
    const found: Partial<Record<Name, Field>> = {};
    for (const { name, value, key } of this.entries()) {
      const known = names.find((each) => each === name);
      if (known === undefined)
        return key.wrong(`no such field; known are ${names.join(', ')}`, 'ERR_SCHEMATIC_FIELD');
      found[known] = value;
    }
    return found;
  }

  /** The items of a list; none when it is null. */
  items(max: number): readonly Field[] {
    if (this.isNull()) return [];
    const node = this.#node;
    if (!isSeq(node)) return this.#wrongType('a list');
    if (node.items.length > max)
      this.wrong(`has ${node.items.length} items, ${max} are taken`, 'ERR_SCHEMATIC_LIMIT');
    return node.items.map(
      (item, index) => new Field(item as Node, `${this.#name}[${index}]`, this.#offset, this.#positionOf),
    );
  }

  /** A text; a number, boolean or date is taken as it was written, null is empty. */
  text(): string {
    if (this.isNull()) return '';
    const node = this.#node;
    if (!isScalar(node)) return this.#wrongType('a text');
    const text = String(node.value);
    const bad = Array.from(text).find((character) => isLost(character));
    if (bad !== undefined)
      this.wrong(
        `has the character U+${(bad.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}, which YAML does not keep`,
      );
    return text;
  }

  /** A text that the canonical text keeps wherever it is: a block that begins with white space would read as another. */
  keptText(): string {
    const text = this.text();
    return /^[ \n]/.test(text) && text.includes('\n')
      ? this.wrong('must not begin with white space when it has several lines')
      : text;
  }

  /** One of some words, or empty. */
  word<const Word extends string>(
    words: readonly Word[],
    alsoEmpty: readonly string[] = [],
  ): Word | undefined {
    const text = this.text();
    if (text === '' || alsoEmpty.includes(text)) return undefined;
    return words.find((word) => word === text) ?? this.wrong(`must be one of ${words.join(', ')}`);
  }

  boolean(): boolean {
    if (this.isNull()) return false;
    const text = isScalar(this.#node) && this.#node.type === Scalar.PLAIN ? this.text() : '';
    if (/^(?:true|True|TRUE|y|Y|yes|on)$/.test(text)) return true;
    return /^(?:false|False|FALSE|n|N|no|off)$/.test(text) ? false : this.#wrongType('true or false');
  }

  integer(): number {
    if (this.isNull()) return 0;
    const node = this.#node;
    const plain = isScalar(node) && node.type === Scalar.PLAIN ? resolvePlain(this.text()) : undefined;
    return plain?.type === 'integer' ? Number(plain.value) : this.#wrongType('an integer');
  }

  /** Whatever it is. */
  option(): OptionValue {
    const node = this.#node;
    if (isMap(node))
      return Object.fromEntries(this.entries().map(({ name, value }) => [name, value.option()]));
    if (isSeq(node)) return this.items(1024).map((item) => item.option());
    if (this.isNull()) return null;
    const text = this.keptText();
    if (!isScalar(node) || node.type !== Scalar.PLAIN) return text;
    const plain = resolvePlain(text);
    if (plain.type === 'time')
      return this.wrong('quote it: readers differ on whether it is a date or a text');
    return plain.type === 'text' || plain.type === 'null' ? text : plain.value;
  }
}

/** What readers and writers of YAML disagree on: control characters, line ends other than newline, halves of characters. */
function isLost(character: string): boolean {
  if (character === '\n' || character === '\t') return false;
  return /^[\p{Control}\p{Surrogate}\u2028\u2029\ufeff]$/u.test(character);
}
