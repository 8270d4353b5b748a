import { type PathStep } from './problems.ts';

/** Below these fields a misplaced text is more likely a secret than a typing error. */
const secretive: ReadonlySet<PathStep> = new Set(['keys', 'ca', 'acceptedCAs', 'token', 'secret']);

/**
 * The name of a field as a message may show it. A user who forgets a colon turns a secret into a field name, so only
 * what looks like one of our fields is shown; line and column say where the rest is.
 */
export function shownKey(key: string, parents: readonly PathStep[]): string {
  if (known.has(key)) return key;
  const shown = /^[a-z][A-Za-z]{0,39}$/u.test(key) && !parents.some((step) => secretive.has(step));
  return shown ? key : '?';
}

/** Our own fields below the secretive ones. */
const known: ReadonlySet<string> = new Set([
  'slot',
  'static',
  'passphrase',
  'nodeID',
  'kms',
  'endpoint',
  'tpm',
  'options',
  'pcrs',
  'checkSecurebootStatusOnEnroll',
  'lockToState',
  'crt',
  'key',
]);

/** Whether a name is one of our fields beside secrets, and so none itself. */
export function isOwnKey(key: string): boolean {
  return known.has(key);
}
