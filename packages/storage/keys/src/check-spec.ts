import { Secret } from '@nodecore/sys';

import type { KeyContext, KeyKind, KeySpec } from './key-spec.ts';

/** What must be right of a spec of each kind: undefined, or what is wrong, in words. */
const checks: Readonly<Record<KeyKind, (spec: Readonly<Record<string, unknown>>) => string | undefined>> = {
  static: ({ passphrase }) => secretProblem('passphrase', passphrase),
  nodeID: () => undefined,
  kms: ({ endpoint }) => (typeof endpoint === 'string' ? undefined : 'endpoint is not a text'),
  tpm: ({ pcrs }) => (Array.isArray(pcrs) ? undefined : 'pcrs is not a list of registers'),
};

/**
 * Refuses what the types forbid and JavaScript does not, before anything is asked or changed.
 *
 * @throws {TypeError} that says which key, and what is wrong with it.
 */
export function checkSpecs(specs: readonly KeySpec[], { salt }: KeyContext): void {
  if (!Array.isArray(specs)) throw new TypeError('specs: not a list of keys');
  for (const spec of specs as readonly unknown[]) {
    const problem = problemOf(spec);
    if (problem !== undefined) throw new TypeError(problem);
  }
  const problem = salt === undefined ? undefined : secretProblem('salt', salt);
  if (problem !== undefined) throw new TypeError(`key context: ${problem}`);
}

/** @throws {TypeError} for a key that is no Secret. */
export function checkKey(name: string, key: unknown): void {
  const problem = secretProblem(name, key);
  if (problem !== undefined) throw new TypeError(problem);
}

function problemOf(spec: unknown): string | undefined {
  if (typeof spec !== 'object' || spec === null) return 'specs: a key is not an object';
  const fields = spec as Readonly<Record<string, unknown>>;
  const { slot, kind } = fields;
  const subject = `key of slot ${String(slot)}`;
  if (typeof slot !== 'number') return `${subject}: slot is not a number`;
  if (typeof kind !== 'string' || !Object.hasOwn(checks, kind)) {
    return `${subject}: no kind of key is called ${JSON.stringify(kind)}; ${Object.keys(checks).join(', ')} are`;
  }
  const problem = checks[kind as KeyKind](fields);
  return problem === undefined ? undefined : `${kind} ${subject}: ${problem}`;
}

function secretProblem(name: string, value: unknown): string | undefined {
  if (value instanceof Secret) return undefined;
  return `${name} is not a Secret: make one with Secret.take(Buffer.from(…)), which wipes what it was made of`;
}
