/** All that a token may allow. There are no wildcards, and no scope holds another one. */
export const scopes = [
  'image:read',
  'source:pull',
  'schematic:create',
  'schematic:read',
  'report:read',
  'token:issue',
  'token:read',
  'token:revoke',
] as const;

export type Scope = (typeof scopes)[number];

/** What manages tokens. A token with one of them is no credential in a query, where logs and histories keep it. */
export const managingScopes: readonly Scope[] = ['token:issue', 'token:read', 'token:revoke'];

/** Undefined when one of them is none, or is there twice: what is not understood allows nothing. */
export function readScopes(words: readonly unknown[]): readonly Scope[] | undefined {
  const found = scopes.filter((scope) => words.includes(scope));
  return found.length === words.length ? found : undefined;
}

/** The form of a claim: words with one space between them. */
export function readScopeClaim(claim: unknown): readonly Scope[] | undefined {
  if (typeof claim !== 'string') return undefined;
  return readScopes(claim === '' ? [] : claim.split(' '));
}

export function isSubset(some: readonly Scope[], of: readonly Scope[]): boolean {
  return some.every((scope) => of.includes(scope));
}
