import type { IncomingMessage } from 'node:http';

import { FactoryError } from '../errors.ts';
import { managingScopes } from '../tokens/scopes.ts';
import type { Token } from '../tokens/token.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { Access } from './access.ts';

/** Who asks, and the credential that said so. */
export type Caller = { readonly token: Token; readonly text: string };

/** Lets requests in by their tokens. Without tokens everybody is. */
export class Gate {
  readonly #tokens: Tokens | undefined;

  constructor(tokens: Tokens | undefined) {
    this.#tokens = tokens;
  }

  /**
   * @returns who asks; undefined where nobody is asked who they are.
   * @throws {FactoryError} with `ERR_FACTORY_CREDENTIAL` or `ERR_FACTORY_SCOPE`, or those of a store.
   */
  async admit(incoming: IncomingMessage, access: Access): Promise<Caller | undefined> {
    if (this.#tokens === undefined || access === 'public') return undefined;
    const caller = (await this.#ofQuery(incoming)) ?? (await this.#ofHeader(incoming));
    if (access.some((scope) => caller.token.scopes.includes(scope))) return caller;
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

  async #ofHeader({ headers: { authorization } }: IncomingMessage): Promise<Caller> {
    const text = tokenOf(authorization);
    if (text === undefined) throw new FactoryError('ERR_FACTORY_CREDENTIAL', 'this factory asks for a token');
    return await this.#callerOf(text);
  }

  async #callerOf(text: string): Promise<Caller> {
    if (this.#tokens === undefined) throw new FactoryError('ERR_FACTORY_CREDENTIAL', 'no tokens here');
    return { token: await this.#tokens.verify(text), text };
  }
}

/** Whether a token may be part of an address. */
export function isForAddresses({ token }: Caller): boolean {
  return !token.scopes.some((scope) => managingScopes.includes(scope));
}

/** A bearer token, or the password beside any name: clients of registries know nothing else. */
function tokenOf(authorization: string | undefined): string | undefined {
  const match = /^(?<scheme>bearer|basic) +(?<value>[\w.~+/=-]+) *$/i.exec(authorization ?? '');
  const { scheme = '', value = '' } = match?.groups ?? {};
  if (scheme.toLowerCase() !== 'basic') return match === null ? undefined : value;
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString()) ?? [];
  return password;
}
