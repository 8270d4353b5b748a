import { parseDocument } from 'yaml';

import { FactoryError } from './errors.ts';
import { nearest } from './nearest.ts';

/** A file, and what it is called in errors. */
export type ConfigurationText = { readonly name: string; readonly text: string };

/** Variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A value, and where it was found. */
export type Setting = { readonly value: unknown; readonly place: string };

/** What may be set, and what once could. */
export type KnownKeys = {
  /** As they are written; read without regard to case. */
  readonly known: readonly string[];
  /** What earlier versions had, with all below it, and what stands in its place. */
  readonly stale: readonly (readonly [key: string, instead: string])[];
  /** What others have, with all below it, and why it is not here. */
  readonly refused?: readonly (readonly [key: string, why: string])[];
  /** What names of variables begin with behind `IF_`, besides the first words of known keys. Other programs may have variables of their own. */
  readonly environment: RegExp;
};

/** Values of several files and of the environment, by key: a later file counts before an earlier one, the environment before all. */
export class Settings {
  readonly #settings = new Map<string, Setting>();

  /** @throws {FactoryError} with `ERR_FACTORY_SETUP`, naming the key and where it is; nothing that is not understood is passed over. */
  constructor(files: readonly ConfigurationText[], environment: Environment, keys: KnownKeys) {
    for (const file of files) for (const [key, setting] of settingsOf(file)) this.#settings.set(key, setting);
    for (const [key, setting] of settingsOfEnvironment(environment, keys)) this.#settings.set(key, setting);
    for (const [key, { place }] of this.#settings) assertKnown(key, place, keys);
  }

  /** Undefined for what is not set. */
  at(name: string): Setting | undefined {
    return this.#settings.get(name.toLowerCase());
  }

  flag(name: string): boolean {
    const { value = false, place = name } = this.at(name) ?? {};
    if (value === true || value === 'true') return true;
    if (value === false || value === 'false') return false;
    throw wrong(`${place}: must be true or false`);
  }

  /** @param what it is, for errors. */
  file(name: string, what = 'a file'): string | undefined {
    const setting = this.at(name);
    if (setting === undefined || (typeof setting.value === 'string' && setting.value !== ''))
      return setting?.value as string | undefined;
    throw wrong(`${setting.place}: must be ${what}`);
  }

  /** @param what they are, for errors. */
  files(name: string, what = 'files'): readonly string[] {
    const { value = [], place = name } = this.at(name) ?? {};
    const list: unknown = typeof value === 'string' ? value.split(',') : value;
    if (Array.isArray(list) && list.every((item) => typeof item === 'string' && item !== ''))
      return list as string[];
    throw wrong(`${place}: must be a list of ${what}`);
  }

  count(name: string, otherwise: number, min = 1): number {
    const { value = otherwise, place = name } = this.at(name) ?? {};
    if (/^\d{1,6}$/.test(String(value)) && Number(value) >= min) return Number(value);
    throw wrong(`${place}: must be a number from ${min} to 999999`);
  }

  word<const Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word {
    const { value = words[0], place = name } = this.at(name) ?? {};
    const found = words.find((word) => word === value);
    if (found !== undefined) return found;
    const only =
      words.length === 1 ? `${words[0]} is the only one there is` : `must be ${words.join(' or ')}`;
    throw wrong(`${place}: ${only}`);
  }
}

/** An error of the configuration. */
export function wrong(message: string): FactoryError {
  return new FactoryError('ERR_FACTORY_SETUP', message);
}

function settingsOf({ name, text }: ConfigurationText): ReadonlyMap<string, Setting> {
  const document = parseDocument(text, { uniqueKeys: true, prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) throw wrong(`${name}: ${error.message.split('\n')[0] ?? 'is no YAML'}`);
  const found = new Map<string, Setting>();
  const collect = (value: unknown, path: readonly string[]): void => {
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    const key = path.join('.').toLowerCase();
    if (isMap) for (const [part, item] of Object.entries(value)) collect(item, [...path, part]);
    else if (found.has(key)) throw wrong(`${name}: ${path.join('.')}: is there twice`);
    else if (path.length > 0) found.set(key, { value, place: `${name}: ${path.join('.')}` });
    else if (value !== null) throw wrong(`${name}: must be a map`);
  };
  collect(
    withoutAliases(name, () => document.toJS({ maxAliasCount: 0 })),
    [],
  );
  return found;
}

function withoutAliases(name: string, read: () => unknown): unknown {
  try {
    return read();
  } catch {
    throw wrong(`${name}: has aliases, which nothing here needs`);
  }
}

/** Of `IF_AUTHENTICATION_TOKENS_KEYPATHS=a,b` the same as a file would have. */
function* settingsOfEnvironment(
  environment: Environment,
  { known, environment: others }: KnownKeys,
): Generator<readonly [string, Setting]> {
  const words = new Set(known.map((key) => key.split('.', 1).join().toLowerCase()));
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || !/^IF_/i.test(name)) continue;
    const key = name.slice('IF_'.length).toLowerCase().replaceAll('_', '.');
    const isOurs = words.has(key.split('.', 1).join()) || others.test(name.slice('IF_'.length));
    if (isOurs) yield [key, { value, place: name }];
  }
}

function assertKnown(key: string, place: string, { known, stale, refused = [] }: KnownKeys): void {
  const isAt = (name: string): boolean =>
    key === name.toLowerCase() || key.startsWith(`${name.toLowerCase()}.`);
  const old = stale.find(([name]) => isAt(name));
  if (old !== undefined) throw wrong(`${place}: is no more: ${old[1]} is in its place`);
  if (known.some((name) => name.toLowerCase() === key)) return;
  const other = refused.find(([name]) => isAt(name));
  if (other !== undefined) throw wrong(`${place}: is not taken: ${other[1]}`);
  throw new FactoryError('ERR_FACTORY_SETUP', `${place}: no such key`, {
    nearest: nearest(key, known, 1),
  });
}
