import type { IncomingMessage } from 'node:http';

import { FactoryError } from '../errors.ts';
import type { Identity } from '../oidc/identity.ts';
import type { Oidc } from '../oidc/oidc.ts';
import type { Htpasswd } from '../passwords/htpasswd.ts';
import { managingScopes, scopes } from '../tokens/scopes.ts';
import type { Token } from '../tokens/token.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { Access } from './access.ts';
import { assertOwnPage } from './own-page.ts';

/** Who asks, and the credential that said so. */
export type Caller = {
  /** Of a password: all scopes. Of an issuer: those of its roles. */
  readonly token: Pick<Token, 'subject' | 'scopes' | 'issuableScopes' | 'isAnySubject'>;
  /** Undefined for what is given to nobody: a password, a token of an issuer, a session. */
  readonly text: string | undefined;
};

/** Who asks, as far as the connection and a cookie say it. */
export type Asking = { readonly clientIp: string; readonly session?: Identity | undefined };

/** By what a gate lets in. */
export type GateOptions = {
  /** External URL of the factory. */
  readonly externalUrl: string;
  readonly tokens: Tokens | undefined;
  readonly passwords?: Htpasswd | undefined;
  readonly oidc?: Oidc | undefined;
};

/** Lets requests in by tokens, of this factory or an issuer, by passwords, or by a login. Without tokens everybody is. */
export class Gate {
  readonly #externalUrl: string;
  readonly #tokens: Tokens | undefined;
  readonly #passwords: Htpasswd | undefined;
  readonly #oidc: Oidc | undefined;

  constructor({ externalUrl, tokens, passwords, oidc }: GateOptions) {
    this.#externalUrl = externalUrl;
    this.#tokens = tokens;
    this.#passwords = passwords;
    this.#oidc = oidc;
  }

  /**
   * @param asking the address of who asks; and who is logged in, undefined for nobody, and where a login does not count.
   * @returns who asks; undefined where nobody is asked who they are.
   * @throws {FactoryError} with `ERR_FACTORY_CREDENTIAL`, `ERR_FACTORY_SCOPE` or `ERR_FACTORY_ORIGIN`, or those of a store.
   */
  async admit(incoming: IncomingMessage, access: Access, asking: Asking): Promise<Caller | undefined> {
    if (this.#tokens === undefined || access === 'public') return undefined;
    const isAllowed = ({ token }: Caller): boolean => access.some((scope) => token.scopes.includes(scope));
    const ofQuery = await this.#ofQuery(incoming);
    const isOther = incoming.headers.authorization !== undefined || asking.session !== undefined;
    // A token of the query that does not do leaves it to the header, as one that does not hold.
    const isLeft = ofQuery === undefined || (isOther && !isAllowed(ofQuery));
    const caller = isLeft ? await this.#ofHeader(incoming, asking) : ofQuery;
    if (isAllowed(caller)) return caller;
    throw new FactoryError('ERR_FACTORY_SCOPE', `the token has none of the scopes ${access.join(', ')}`, {
      needs: access,
    });
  }

  /** Where addresses end, in logs and histories, a token that manages others is none; a header may have a better one. */
  async #ofQuery({ method, url = '' }: IncomingMessage): Promise<Caller | undefined> {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const [text, ...others] = new URLSearchParams(url.split('?', 2)[1]).getAll('token');
    if (text === undefined || others.length > 0) return undefined;
    try {
      const caller = await this.#callerOf(text);
      return isForAddresses(caller) ? caller : undefined;
    } catch (error) {
      if (error instanceof FactoryError && error.code === 'ERR_FACTORY_CREDENTIAL') return undefined;
      throw error;
    }
  }

  async #ofHeader(incoming: IncomingMessage, { session, clientIp }: Asking): Promise<Caller> {
    const { method = '', headers } = incoming;
    const { authorization } = headers;
    if (authorization === undefined && session !== undefined) return { token: session, text: undefined };
    const found = credentialOf(authorization);
    if (found === undefined)
      throw new FactoryError('ERR_FACTORY_CREDENTIAL', 'this factory asks for a token');
    const { name, password } = found;
    // What a browser keeps it sends along with what any page has it post.
    if (name !== undefined && method !== 'GET' && method !== 'HEAD')
      assertOwnPage(incoming, this.#externalUrl);
    const text = password.toString();
    const isPassword = name !== undefined && this.#passwords !== undefined && !isTokenLike(text);
    if (!isPassword) return await this.#callerOf(text);
    if (await this.#passwords.isRight(name, password, clientIp))
      return {
        token: { subject: name, scopes, issuableScopes: scopes, isAnySubject: false },
        text: undefined,
      };
    throw new FactoryError('ERR_FACTORY_CREDENTIAL', 'no such name with this password');
  }

  async #callerOf(text: string): Promise<Caller> {
    // Where addresses end and scripts are, a token that others take, too, is given to nobody.
    if (this.#oidc?.isFrom(text) === true) return { token: await this.#oidc.verify(text), text: undefined };
    if (this.#tokens === undefined) throw new FactoryError('ERR_FACTORY_CREDENTIAL', 'no tokens here');
    return { token: await this.#tokens.verify(text), text };
  }
}

/** Whether a token may be part of an address. */
export function isForAddresses({ token, text }: Caller): boolean {
  return text !== undefined && !token.scopes.some((scope) => managingScopes.includes(scope));
}

/** A bearer token, or a password beside a name: clients of registries know nothing else, and give tokens as passwords. */
function credentialOf(
  authorization: string | undefined,
): { readonly name: string | undefined; readonly password: Buffer } | undefined {
  const match = /^(?<scheme>bearer|basic) +(?<value>[\w.~+/=-]+) *$/i.exec(authorization ?? '');
  const { scheme = '', value = '' } = match?.groups ?? {};
  if (match === null) return undefined;
  if (scheme.toLowerCase() === 'bearer') return { name: undefined, password: Buffer.from(value) };
  const pair = Buffer.from(value, 'base64');
  const colon = pair.indexOf(':');
  if (colon < 0) return undefined;
  return { name: pair.subarray(0, colon).toString(), password: pair.subarray(colon + 1) };
}

/** The compact form of a signed JSON begins with a brace in base64url; no password of a person does so, dots included. */
function isTokenLike(text: string): boolean {
  return /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/.test(text);
}
