import { type Place } from '../place.ts';

/** A piece of JSON Schema. */
export type Json = Readonly<Record<string, unknown>>;

/** How a patch joins a list with the one that is there; without a word it adds the items that are new. */
export type Merge = 'replace' | { readonly by: string };

/**
 * What a value is. One object has all that is known of it: how it is read, its JSON Schema, whether it is secret, how patches
 * merge it.
 */
export type Type<T> = {
  /** Reads the value, or reports what is wrong with it and gives undefined. Never throws, and no message quotes the value. */
  readonly read: (at: Place) => T | undefined;
  /** Made when somebody asks for it: nobody does who only reads. */
  readonly json: Json;
  /** In a table of fields: `duration`, `list of address`. */
  readonly says: string;
  /** `maybe`: a free text in which people put secrets. */
  readonly secret?: 'always' | 'maybe';
  readonly merge?: Merge;
  /** Of an object. */
  readonly fields?: Fields;
  /** Of a list or map. */
  readonly item?: Type<unknown>;
};

/** The value that a type reads. */
export type ValueOf<T> = T extends Type<infer Value> ? Value : never;

/** A type with its place in an object: whether it may be left out, and what it is for. */
export type Field<T> = {
  readonly type: Type<T>;
  /** One line, for the reference, the schema and `explain`. */
  readonly about: string;
  readonly need: 'required' | 'optional' | 'fallback';
  /** What holds when the field is left out, as it would be written. */
  readonly fallback?: unknown;
};

export type Fields = Readonly<Record<string, Field<unknown>>>;

type Optional = { readonly need: 'optional' };

/** The value of an object with these fields. */
export type Of<All extends Fields> = {
  readonly [Name in keyof All as All[Name] extends Optional ? never : Name]: ValueOf<All[Name]['type']>;
} & {
  readonly [Name in keyof All as All[Name] extends Optional ? Name : never]?: ValueOf<All[Name]['type']>;
};

/** A field that has to be there. */
export function required<T>(about: string, type: Type<T>): Field<T> & { readonly need: 'required' } {
  return { type, about, need: 'required' };
}

/** A field that may be left out; nothing stands in its place. */
export function optional<T>(about: string, type: Type<T>): Field<T> & Optional {
  return { type, about, need: 'optional' };
}

/** A field that may be left out: then it is as if `written` stood there. */
export function fallback<T>(
  about: string,
  type: Type<T>,
  written: string | number | boolean | readonly string[],
): Field<T> & { readonly need: 'fallback' } {
  return { type, about, need: 'fallback', fallback: written };
}
