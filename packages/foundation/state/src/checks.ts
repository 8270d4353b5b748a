import type { Operation } from './operation.ts';
import { type Key, type Kind, keyText } from './resource.ts';
import { copySpec } from './spec.ts';
import { StateError } from './state-error.ts';

/** Bytes of UTF-8 that a namespace, a type or an id may have. */
const maxNameBytes = 512;

/** @throws {StateError} `ERR_STATE_INVALID` for names that some driver can't keep or tell apart. */
export function checkKind({ namespace, type }: Kind): void {
  checkName('namespace', namespace);
  checkName('type', type);
  for (const name of [namespace, type])
    if (name.includes('/')) throw invalid(name, 'a slash in a namespace or type');
}

/** The same of a key; its id may have slashes. */
export function checkKey(key: Key): void {
  checkKind(key);
  checkName('id', key.id);
}

/** Copies of the operations that nobody can change any more. */
export function checkedOperations(operations: readonly Operation[]): readonly Operation[] {
  const seen = new Set<string>();
  return operations.map((operation) => {
    checkKey(operation.key);
    const { namespace, type, id } = operation.key;
    const name = `${namespace}/${type}/${id}`;
    if (seen.has(name)) throw invalid(keyText(operation.key), 'named twice in a transaction');
    seen.add(name);
    const key: Key = Object.freeze({ namespace, type, id });
    switch (operation.op) {
      case 'create':
      case 'update':
        return {
          ...operation,
          key,
          spec: copySpec(operation.spec, keyText(key)),
          ...(operation.labels !== undefined && { labels: copyTexts(key, operation.labels) }),
          ...(operation.annotations !== undefined && { annotations: copyTexts(key, operation.annotations) }),
        };
      case 'addFinalizers':
      case 'removeFinalizers':
        return { ...operation, key, finalizers: [...operation.finalizers] };
      case 'teardown':
      case 'destroy':
      case 'expect':
      default:
        return { ...operation, key };
    }
  });
}

function copyTexts(key: Key, texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, text] of Object.entries(texts)) {
    if (typeof text !== 'string') throw invalid(keyText(key), `label or annotation ${name} is no text`);
  }
  return Object.freeze({ ...texts });
}

function checkName(what: string, name: string): void {
  if (name === '' || Buffer.byteLength(name) > maxNameBytes) {
    throw invalid(name.slice(0, 40), `${what} is empty or longer than ${maxNameBytes} bytes`);
  }
  // Lone surrogates have no UTF-8: two such names would become one.
  if (!name.isWellFormed() || hasControl(name))
    throw invalid(JSON.stringify(name), `${what} has control characters`);
}

function hasControl(name: string): boolean {
  for (let index = 0; index < name.length; index += 1) if (name.charCodeAt(index) < 0x20) return true;
  return false;
}

function invalid(subject: string, message: string): StateError {
  return new StateError('ERR_STATE_INVALID', subject, message);
}
