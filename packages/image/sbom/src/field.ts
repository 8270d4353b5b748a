import { SbomError } from './errors.ts';

/** A value in a document, and where it is, to name it in errors. */
export class Field {
  readonly #value: unknown;
  readonly #path: string;

  constructor(value: unknown, path: string) {
    this.#value = value;
    this.#path = path;
  }

  /** @throws {SbomError} with `ERR_SBOM_INVALID` for what is no JSON. */
  static parse(text: string, name: string): Field {
    try {
      return new Field(JSON.parse(text), name);
    } catch (cause) {
      throw new SbomError('ERR_SBOM_INVALID', `${name}: is no JSON, or not all of it`, { cause });
    }
  }

  wrong(what: string): never {
    throw new SbomError('ERR_SBOM_INVALID', `${this.#path}: ${what}`);
  }

  get isThere(): boolean {
    return this.#value !== undefined && this.#value !== null;
  }

  get isArray(): boolean {
    return Array.isArray(this.#value);
  }

  get(name: string): Field {
    const fields = this.#object();
    return new Field(Object.hasOwn(fields, name) ? fields[name] : undefined, `${this.#path}.${name}`);
  }

  entries(): readonly (readonly [name: string, field: Field])[] {
    return Object.entries(this.#object()).map(([name, value]) => [
      name,
      new Field(value, `${this.#path}.${name}`),
    ]);
  }

  /** The items of a list; none of one that is not there. */
  items(): readonly Field[] {
    if (!this.isThere) return [];
    if (!Array.isArray(this.#value)) return this.wrong('must be a list');
    return this.#value.map((value, index) => new Field(value, `${this.#path}[${index}]`));
  }

  text(): string {
    return typeof this.#value === 'string' ? this.#value : this.wrong('must be a text');
  }

  optionalText(): string | undefined {
    return this.isThere ? this.text() : undefined;
  }

  /** A time as RFC 3339 has it. */
  time(): string {
    const text = this.text();
    const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(text);
    return isTime && !Number.isNaN(Date.parse(text))
      ? text
      : this.wrong('must be a time: 2026-11-22T00:00:00Z');
  }

  /** A whole number from 1 on. */
  ordinal(): number {
    const value = this.#value;
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
      ? value
      : this.wrong('must be a whole number from 1 on');
  }

  oneOf<T extends string>(words: readonly T[]): T {
    return words.find((word) => word === this.#value) ?? this.wrong(`must be one of ${words.join(', ')}`);
  }

  #object(): Readonly<Record<string, unknown>> {
    const value = this.#value;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return this.wrong('must be an object');
    return value as Record<string, unknown>;
  }
}
