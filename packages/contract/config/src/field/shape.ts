/*
 * Types of fields whose rules are with the reader of their document: they say what the value is made of, and no more. Readers
 * speak also where another field is wrong, which `check` of an object does not.
 */
import { type Json, type Type } from './type.ts';

/** The same type, with more for editors. */
export function withJson<T>(type: Type<T>, json: Json): Type<T> {
  const { says, read, secret, merge, fields, item } = type;
  return {
    says,
    read,
    get json() {
      return { ...type.json, ...json };
    },
    ...(secret === undefined ? {} : { secret }),
    ...(merge === undefined ? {} : { merge }),
    ...(fields === undefined ? {} : { fields }),
    ...(item === undefined ? {} : { item }),
  };
}

/** Any text. */
export const anyText: Type<string> = {
  json: { type: 'string' },
  says: 'text',
  read: (at) => at.text() ?? at.wrongType(at.scalar() === undefined ? 'a text' : 'a text; put it in quotes'),
};

/** A text that must never be shown; its reader hands it to the vault. */
export const hiddenText: Type<string> = { ...withJson(anyText, { writeOnly: true }), secret: 'always' };

/** A text of this form, for editors; the reader says what is wrong with it. */
export function textLike(pattern: string): Type<string> {
  return withJson(anyText, { pattern });
}

/** Any whole number. */
export const wholeNumber: Type<number> = {
  json: { type: 'integer' },
  says: 'whole number',
  read: (at) => {
    const value = at.scalar()?.value;
    if (typeof value !== 'number' || !Number.isInteger(value)) return at.wrongType('a whole number');
    if (Number.isSafeInteger(value)) return value;
    at.problem('invalid_value', 'not an accepted value');
    return undefined;
  },
};

/** A list whose items may be equal. */
export function items<T>(item: Type<T>, json: Json = {}, merge?: Type<T>['merge']): Type<readonly T[]> {
  return {
    get json() {
      return { type: 'array', items: item.json, ...json };
    },
    says: `list of ${item.says}`,
    item,
    ...(merge === undefined ? {} : { merge }),
    read: (at) => {
      if (!at.isList()) return at.wrongType('a list');
      const values = at.items().map((place) => item.read(place));
      return values.some((value) => value === undefined) ? undefined : (values as T[]);
    },
  };
}

/*
 * Patterns are for editors; our own parser says what is wrong with a size. An empty text is no size.
 */
const amount = String.raw`(\d+|\d{1,3}(,\d{3})+)(\.\d+)? *([kKmMgGtTpPeE]([iI]?[bB])?|[kKmMgGtTpPeE][iI]|[bB])?`;
const share = String.raw`(100(\.0+)?|\d{1,2}(\.\d{1,18}0*)?)%`;

function sizeLike(pattern: string, json: Json, says: string): Type<string> {
  return {
    json: { type: ['string', 'number'], pattern, ...json },
    says,
    read: (at) => {
      const value = at.scalar()?.value;
      const isOne = typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
      return isOne ? at.literal() : at.wrongType('a size, such as 50GiB');
    },
  };
}

/** Bytes with an optional unit: `50GiB`, `500MB`. Numbers are taken because YAML reads `1048576` as one. */
export const size: Type<string> = sizeLike(String.raw`^\s*(${amount})?\s*$`, { minimum: 0 }, 'size');

/** As {@link size}, and also a percentage or a negative amount, which leaves that much free. */
export const sizeOrShare: Type<string> = sizeLike(
  String.raw`^\s*(-?(${amount}|${share}))?\s*$`,
  {},
  'size or share',
);
