import type { Change } from '@nodecore/api';
import type { Resource } from '@nodecore/api/resource';
import { UsageError } from '@nodecore/cli';

/** Says whether a label is as wanted; undefined is a label that is not there. */
type Term = { readonly key: string; readonly holds: (value: string | undefined) => boolean };

export type SelectionFlags = { readonly selector?: string; readonly ids?: readonly string[] };

/** Which resources of a type are meant: by their labels, and by patterns of their ids. */
export class Selection {
  readonly #terms: readonly Term[];
  readonly #ids: readonly RegExp[];

  /** @throws {UsageError} for a selector that is none. */
  constructor({ selector = '', ids = [] }: SelectionFlags) {
    this.#terms = termsOf(selector).map(termOf);
    this.#ids = ids.map(globOf);
  }

  get isAll(): boolean {
    return this.#terms.length === 0 && this.#ids.length === 0;
  }

  has({ metadata }: Pick<Resource, 'metadata'>): boolean {
    const { id = '', labels = {} } = metadata ?? {};
    return (
      (this.#ids.length === 0 || this.#ids.some((pattern) => pattern.test(id))) &&
      this.#terms.every(({ key, holds }) => holds(Object.hasOwn(labels, key) ? labels[key] : undefined))
    );
  }

  /** A filter for the changes of one watch: what is no longer meant is gone, and what is meant from now on is new. */
  follow(): (change: Change) => readonly Change[] {
    if (this.isAll) return (change) => [change];
    const shown = new Set<string>();
    return (change) => {
      if (change.kind === 'bootstrapped') return [change];
      const { resource } = change;
      const key = `${resource.metadata?.namespace}/${resource.metadata?.id}`;
      const wasShown = shown.has(key);
      if (change.kind !== 'destroyed' && this.has(resource)) {
        shown.add(key);
        return [{ kind: wasShown ? 'updated' : 'created', resource }];
      }
      shown.delete(key);
      return wasShown ? [{ kind: 'destroyed', resource }] : [];
    };
  }
}

/** `a=1,b in (x,y),!c` in its terms. */
function termsOf(selector: string): readonly string[] {
  if (selector.trim() === '') return [];
  const terms = selector.match(/(?:[^,(]|\([^)]*\))+|,/gu) ?? [];
  const named = terms.filter((term) => term !== ',').map((term) => term.trim());
  if (terms.length !== named.length * 2 - 1 || named.includes('')) throw wrong(selector);
  return named;
}

function termOf(text: string): Term {
  const set = /^([\w./-]+)\s+(in|notin)\s*\(([^()]*)\)$/u.exec(text);
  if (set !== null) {
    const [, key = '', word, list = ''] = set;
    const values = new Set(list.split(',').map((value) => value.trim()));
    return word === 'in'
      ? { key, holds: (value) => value !== undefined && values.has(value) }
      : { key, holds: (value) => value === undefined || !values.has(value) };
  }
  const [, isNot = '', key = '', sign, wanted = ''] =
    /^(!?)\s*([\w./-]+)\s*(?:(!=|==?)\s*([^=!()]*))?$/u.exec(text) ?? [];
  if (key === '' || (isNot !== '' && sign !== undefined)) throw wrong(text);
  if (sign === undefined)
    return { key, holds: (value) => (isNot === '' ? value !== undefined : value === undefined) };
  return sign === '!='
    ? { key, holds: (value) => value !== wanted }
    : { key, holds: (value) => value === wanted };
}

function wrong(text: string): UsageError {
  return new UsageError(
    `selector "${text}" is none: write key=value, key!=value, key, !key, "key in (a,b)" or "key notin (a,b)", with commas between`,
  );
}

/** `u-*`: * for any characters, ? for any character. */
function globOf(pattern: string): RegExp {
  const expression = pattern
    .replaceAll(/[.+^${}()|[\]\\]/gu, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${expression}$`, 'su');
}
