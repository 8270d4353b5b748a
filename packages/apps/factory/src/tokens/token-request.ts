import { FactoryError } from '../errors.ts';
import { readFlatObject } from './flat-object.ts';
import type { TokenRequest } from './grant.ts';
import { readScopes, type Scope, scopes } from './scopes.ts';

/** The longest text that a request for a token may be. */
export const maxRequestBytes = 4_096;

const automation: readonly Scope[] = [
  'image:read',
  'schematic:create',
  'schematic:read',
  'report:read',
  'token:issue',
];

/** What somebody may do, and pass on. */
export type Profile = Pick<TokenRequest, 'scopes' | 'issuableScopes'>;

/** Scopes by who is to have them. */
export const profiles: ReadonlyMap<unknown, Profile> = new Map<unknown, Profile>([
  ['node', { scopes: ['image:read'], issuableScopes: [] }],
  ['automation', { scopes: automation, issuableScopes: automation }],
  [
    'operator',
    { scopes: [...automation.filter((scope) => scope !== 'token:issue'), 'source:pull'], issuableScopes: [] },
  ],
  ['admin', { scopes, issuableScopes: scopes }],
]);

/** What {@link profiles} has. */
export const profileNames: readonly string[] = [...profiles.keys()].map(String);

const fields = ['actor', 'issuable_scopes', 'name', 'scopes', 'stored', 'subject', 'ttl'];

/**
 * Reads the body of `POST /tokens`.
 *
 * @throws {FactoryError} with `ERR_FACTORY_TOKEN_REQUEST`, naming the field.
 */
export function readTokenRequest(text: string): TokenRequest {
  const body = readFlatObject(text);
  if (body === undefined) throw senseless('must be one JSON object, with each field once');
  const unknown = Object.keys(body).find((field) => !fields.includes(field));
  if (unknown !== undefined)
    throw senseless(`${JSON.stringify(unknown.slice(0, 64))}: no such field; there are ${fields.join(', ')}`);
  const { name = '', stored = true, subject, ttl } = body;
  if (typeof name !== 'string' || name.length > 128 || /[\p{Cc}\p{Cf}]/u.test(name))
    throw senseless('name: must be a text of 128 characters at most, without control characters');
  if (typeof stored !== 'boolean') throw senseless('stored: must be true or false');
  if (subject !== undefined && typeof subject !== 'string') throw senseless('subject: must be a text');
  if (ttl !== undefined && typeof ttl !== 'string') throw senseless('ttl: must be a duration as 720h');
  return {
    ...readProfile(body),
    isStored: stored,
    name,
    ...(subject === undefined ? {} : { subject }),
    ...(ttl === undefined ? {} : { ttl }),
  };
}

function readProfile(body: Readonly<Record<string, unknown>>): Profile {
  const { actor, scopes: asked, issuable_scopes: issuable = [] } = body;
  if (actor === undefined)
    return { scopes: readList('scopes', asked), issuableScopes: readList('issuable_scopes', issuable) };
  if (asked !== undefined || body['issuable_scopes'] !== undefined)
    throw senseless('actor: stands in place of scopes and issuable_scopes');
  const profile = profiles.get(actor);
  if (profile === undefined) throw senseless(`actor: must be one of ${profileNames.join(', ')}`);
  return profile;
}

function readList(field: string, value: unknown): readonly Scope[] {
  const found = Array.isArray(value) ? readScopes(value) : undefined;
  if (found === undefined) throw senseless(`${field}: must be a list of some of ${scopes.join(', ')}`);
  return found;
}

function senseless(message: string): FactoryError {
  return new FactoryError('ERR_FACTORY_TOKEN_REQUEST', message);
}
