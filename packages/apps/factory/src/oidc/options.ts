import { isIPv4, isIPv6 } from 'node:net';

import { type Settings, wrong } from '../settings.ts';
import { profileNames } from '../tokens/token-request.ts';

/** How an issuer of OpenID Connect says who callers are. */
export type OidcOptions = {
  /** As its tokens name it, and where it describes itself. */
  readonly issuer: string;
  /** For whom a token must be, any of them. */
  readonly audiences: readonly string[];
  /** The claim that says who it is, and so whose schematics are. */
  readonly subjectClaim: string;
  /** Who may do what. Undefined: who the issuer knows may do all that an identity can do for itself. */
  readonly roles?: {
    /** The claim that has them. */
    readonly claim: string;
    /** Profile of scopes by role. */
    readonly profiles: ReadonlyMap<string, string>;
  };
  /** By which browsers log in; without it they do not. */
  readonly client?: {
    readonly id: string;
    /** A file; without it the client is a public one. */
    readonly secretPath?: string;
    /** What is asked for, `openid` among it. */
    readonly scopes: readonly string[];
  };
  /** How long the issuer may take to answer; 5 s by default. */
  readonly timeoutMs?: number;
};

const at = (name: string): string => `authentication.oidc.${name}`;

/** The keys of {@link readOidc}. */
export const oidcKeys: readonly string[] = [
  'audiences',
  'clientId',
  'clientScopes',
  'clientSecretPath',
  'issuer',
  'roles',
  'rolesClaim',
  'subjectClaim',
].map(at);

/**
 * What is set of an issuer.
 *
 * @param isAsked whether the provider is this one.
 * @throws {FactoryError} with `ERR_FACTORY_SETUP`, naming the key and where it is.
 */
export function readOidc(settings: Settings, isAsked: boolean): OidcOptions | undefined {
  const stray = oidcKeys.find((name) => settings.at(name) !== undefined);
  if (!isAsked && stray !== undefined)
    throw wrong(`${settings.at(stray)?.place ?? stray}: authentication.provider must be oidc for it`);
  if (!isAsked) return undefined;
  const issuer = readIssuer(settings);
  const client = readClient(settings);
  const audiences = settings.files(at('audiences'), 'audiences');
  if (audiences.length === 0 && client === undefined)
    throw wrong(`${at('audiences')}: must name for whom tokens are, or ${at('clientId')} who asks for them`);
  const roles = readRoles(settings);
  return {
    issuer,
    audiences: [...audiences, ...(client ? [client.id] : [])],
    subjectClaim: settings.file(at('subjectClaim'), 'the name of a claim') ?? 'sub',
    ...(roles && { roles }),
    ...(client && { client }),
  };
}

/** In plain text only on this machine: whoever could change an answer could be anybody. */
function readIssuer(settings: Settings): string {
  const { value, place } = settings.at(at('issuer')) ?? { place: at('issuer') };
  const url = typeof value === 'string' ? URL.parse(value) : null;
  const isWhole =
    url !== null &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '' &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)));
  if (isWhole) return value as string;
  throw wrong(`${place}: must be the URL of an issuer as https://login.example.com`);
}

function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  return (isIPv4(address) && address.startsWith('127.')) || (isIPv6(address) && address === '::1');
}

function readClient(settings: Settings): OidcOptions['client'] {
  const id = settings.file(at('clientId'), 'a text');
  const secretPath = settings.file(at('clientSecretPath'));
  const asked = settings.files(at('clientScopes'), 'scopes');
  if (id === undefined && secretPath !== undefined)
    throw wrong(`${at('clientId')}: ${at('clientSecretPath')} needs it`);
  if (id === undefined) return undefined;
  const scopes = ['openid', ...asked.filter((scope) => scope !== 'openid')];
  return { id, scopes, ...(secretPath !== undefined && { secretPath }) };
}

/** Of `roles: [ops=admin]`. */
function readRoles(settings: Settings): OidcOptions['roles'] {
  const claim = settings.file(at('rolesClaim'), 'the name of a claim');
  const list = settings.files(at('roles'), 'roles, each as group=profile');
  const place = settings.at(at('roles'))?.place ?? at('roles');
  if (claim === undefined && list.length === 0) return undefined;
  if (claim === undefined) throw wrong(`${at('rolesClaim')}: ${at('roles')} needs it`);
  if (list.length === 0) throw wrong(`${place}: ${at('rolesClaim')} needs it`);
  const profiles = new Map<string, string>();
  for (const item of list) {
    const [, role = '', profile = ''] = /^(.+)=([^=]+)$/.exec(item) ?? [];
    if (!profileNames.includes(profile))
      throw wrong(`${place}: ${item}: must be a role and one of ${profileNames.join(', ')}, as ops=admin`);
    if (profiles.has(role)) throw wrong(`${place}: ${role}: is there twice`);
    profiles.set(role, profile);
  }
  return { claim, profiles };
}
