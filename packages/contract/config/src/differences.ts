import { isMap, isScalar, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';

import { type Type } from './field/type.ts';
import { describedBy, fieldType, itemKey } from './patch/described.ts';
import { isEqual, pairOf, plain } from './patch/nodes.ts';
import { redactBoth } from './redact.ts';
import { readSource } from './source.ts';

/** A value that is not the same in two configurations. */
export type Difference = {
  /** `kind/name`. */
  readonly document: string;
  /** `peers[publicKey=…].endpoint`; empty for the whole document. */
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** As JSON; secrets are hidden. Absent for what was added, and for whole documents. */
  readonly before?: string;
  /** As JSON; a secret that changed says so. Absent for what was removed, and for whole documents. */
  readonly after?: string;
};

/**
 * What is different between two configurations, document by document: comments, layout, the order of fields and documents do not
 * count. Items of lists are compared by what tells them apart. An empty text is no configuration.
 *
 * @throws {ConfigError} when one of them is not valid: nobody knows where its secrets are.
 */
export function differences(before: string, after: string): readonly Difference[] {
  const shown = redactBoth(before, after);
  const [old, current] = [documentsOf(shown.before), documentsOf(shown.after)];
  return [...new Set([...old.keys(), ...current.keys()])].flatMap((identity) => {
    const [former, latter] = [old.get(identity), current.get(identity)];
    const whole = { document: identity, path: '' };
    if (former === undefined) return [{ ...whole, change: 'added' as const }];
    if (latter === undefined) return [{ ...whole, change: 'removed' as const }];
    const found: Difference[] = [];
    const walk = new Walk(identity, found);
    walk.map(former, latter, describedBy(identity), '');
    return found;
  });
}

/** The fields of each document. */
function documentsOf(text: string): Map<string, YAMLMap> {
  return new Map(readSource(text, undefined).documents.map(({ identity, map }) => [identity, map]));
}

class Walk {
  readonly #document: string;
  readonly #found: Difference[];

  constructor(document: string, found: Difference[]) {
    this.#document = document;
    this.#found = found;
  }

  map(before: YAMLMap, after: YAMLMap, type: Type<unknown> | undefined, path: string): void {
    for (const name of new Set([...namesOf(before), ...namesOf(after)])) {
      const at = path === '' ? step(name) : `${path}.${step(name)}`;
      this.#value(pairOf(before, name)?.value, pairOf(after, name)?.value, fieldType(type, name), at);
    }
  }

  #value(before: unknown, after: unknown, type: Type<unknown> | undefined, path: string): void {
    if (before !== undefined && after !== undefined && isEqual(before, after)) return;
    if (isMap(before) && isMap(after)) this.map(before, after, type, path);
    else if (isSeq(before) && isSeq(after)) this.#list(before, after, type, path);
    else this.#add(before, after, path);
  }

  #list(before: YAMLSeq, after: YAMLSeq, type: Type<unknown> | undefined, path: string): void {
    const by = typeof type?.merge === 'object' ? type.merge.by : undefined;
    const count = this.#found.length;
    const keys = (list: YAMLSeq): Map<string, unknown> =>
      new Map(list.items.map((item) => [jsonOf(itemKey(item, by ?? '', type?.item)), item]));
    const [old, current] = [keys(before), keys(after)];
    // Keys that are hidden are all alike.
    const told = by !== undefined && old.size === before.items.length && current.size === after.items.length;
    if (!told) {
      const gone = before.items.filter((item) => !after.items.some((one) => isEqual(one, item)));
      const come = after.items.filter((item) => !before.items.some((one) => isEqual(one, item)));
      for (const item of gone) this.#add(item, undefined, `${path}[]`);
      for (const item of come) this.#add(undefined, item, `${path}[]`);
    } else {
      for (const key of new Set([...old.keys(), ...current.keys()]))
        this.#value(old.get(key), current.get(key), type?.item, `${path}[${by}=${key}]`);
    }
    if (this.#found.length === count) this.#add(before, after, path); // another order, or one more that is equal
  }

  #add(before: unknown, after: unknown, path: string): void {
    this.#found.push({
      document: this.#document,
      path,
      change: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
      ...(before === undefined ? {} : { before: jsonOf(before) }),
      ...(after === undefined ? {} : { after: jsonOf(after) }),
    });
  }
}

function namesOf(map: YAMLMap): string[] {
  return map.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''));
}

function step(name: string): string {
  return /^[\w-]+$/u.test(name) ? name : JSON.stringify(name);
}

/** In one line; numbers that JavaScript can't hold as they were written. */
function jsonOf(node: unknown): string {
  return JSON.stringify(plain(node), (_key, value: unknown) => {
    if (value instanceof Map) return Object.fromEntries(value as Map<string, unknown>);
    const { number = value } = (value ?? {}) as { number?: unknown };
    return number;
  });
}
