/**
 * A value of a header that does not have the form which the LUKS2 specification gives it. Never leaves the package: the
 * function that reads the header turns it into a `LuksError`, which names the device.
 */
export class ShapeError extends Error {
  static {
    this.prototype.name = 'ShapeError';
  }
}

/**
 * Refuses null and lists too.
 *
 * @throws {ShapeError} that names the place, `where`.
 */
export function asRecord(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new ShapeError(`${where} is no object`);
}

/**
 * Does not check the items.
 *
 * @throws {ShapeError} that names the place, `where`.
 */
export function asList(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new ShapeError(`${where} is no list`);
}

/**
 * May be empty; {@link asName} refuses that.
 *
 * @throws {ShapeError} that names the place, `where`.
 */
export function asText(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  throw new ShapeError(`${where} is no text`);
}

/**
 * May have no items, and empty ones.
 *
 * @throws {ShapeError} that names the place, with the index of an item that is no text.
 */
export function asTexts(value: unknown, where: string): readonly string[] {
  return asList(value, where).map((item, index) => asText(item, `${where}[${index}]`));
}

/** A whole number that JSON can carry. */
export function asCount(value: unknown, where: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new ShapeError(`${where} is no whole number`);
}

/** A text that is not empty. */
export function asName(value: unknown, where: string): string {
  if (asText(value, where) !== '') return value as string;
  throw new ShapeError(`${where} is empty`);
}

/**
 * May be negative, and larger than JavaScript counts exactly: for members that the library only checks for their type.
 *
 * @throws {ShapeError} that names the place, `where`.
 */
export function asInteger(value: unknown, where: string): number {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw new ShapeError(`${where} is no whole number`);
}

/** A whole number of 32 bits. */
export function asCount32(value: unknown, where: string): number {
  const count = asCount(value, where);
  if (count < 2 ** 32) return count;
  throw new ShapeError(`${where} has more than 32 bits`);
}

/** Digits that come to 64 bits at most. The library writes no leading zeros, but reads them. */
export function asDigits64(value: unknown, where: string): bigint {
  const text = asText(value, where);
  const number = /^[0-9]{1,40}$/.test(text) ? BigInt(text) : undefined;
  if (number !== undefined && number < 1n << 64n) return number;
  throw new ShapeError(`${where} is no decimal number of 64 bits`);
}

/** The members of an object whose names are digits, by number. The library reads more ids than it has room for. */
export function asNumbered(value: unknown, where: string): readonly (readonly [string, unknown])[] {
  const members = Object.entries(asRecord(value, where));
  const stray = members.find(([name]) => !/^[0-9]+$/.test(name));
  if (stray !== undefined) throw new ShapeError(`${where} has an id that is none`);
  return members.toSorted(([a], [b]) => Number(a) - Number(b));
}

/** LUKS2 specification 3: numbers of 64 bits are decimal text. */
export function asDecimal(value: unknown, where: string): bigint {
  const text = asText(value, where);
  if (/^(0|[1-9][0-9]{0,19})$/.test(text)) return BigInt(text);
  throw new ShapeError(`${where} is no decimal number`);
}

/** The members of an object whose names are ids, in ascending order. */
export function asIds(value: unknown, where: string, limit: number): readonly (readonly [number, unknown])[] {
  return Object.entries(asRecord(value, where))
    .map(([name, member]) => [idOf(name, where, limit), member] as const)
    .toSorted(([a], [b]) => a - b);
}

/** An id as the format writes it: decimal, without leading zeros. */
export function idOf(name: string, where: string, limit: number): number {
  const id = /^(0|[1-9][0-9]{0,8})$/.test(name) ? Number(name) : limit;
  if (id < limit) return id;
  throw new ShapeError(`${where} has an id that is none`);
}
