import type { IssuedToken, Tokens } from '../tokens/tokens.ts';
import { FactoryError } from '../errors.ts';
import { maxRequestBytes, readTokenRequest } from '../tokens/token-request.ts';
import type { TokenRecord } from '../tokens/token-records.ts';
import { type Answer, jsonAnswer } from './answer.ts';
import { bodyOf } from './body.ts';
import type { Caller } from './gate.ts';
import type { IncomingMessage } from 'node:http';

const noStore = { 'cache-control': 'no-store' };

/** What is answered about tokens. Without authentication there are none. */
export class TokenAnswers {
  readonly #tokens: Tokens | undefined;

  constructor(tokens: Tokens | undefined) {
    this.#tokens = tokens;
  }

  async issue(incoming: IncomingMessage, caller: Caller | undefined): Promise<Answer> {
    const { tokens, token: grantor } = this.#of(caller);
    const request = readTokenRequest(await bodyOf(incoming, maxRequestBytes));
    const issued = await tokens.issue(grantor, request);
    return jsonAnswer(200, issuedShape(issued), noStore);
  }

  async list(caller: Caller | undefined): Promise<Answer> {
    const { tokens, token } = this.#of(caller);
    const records = await tokens.list(token.subject);
    return jsonAnswer(200, { tokens: records.map((record) => shape(record)) }, noStore);
  }

  async revoke(id: string, caller: Caller | undefined): Promise<Answer> {
    const { tokens, token } = this.#of(caller);
    await tokens.revoke(token.subject, id);
    return { status: 204, headers: noStore };
  }

  /** The keys by which others may verify tokens. */
  keys(): Answer {
    return jsonAnswer(200, this.#known().keys.jwks);
  }

  #of(caller: Caller | undefined): { readonly tokens: Tokens; readonly token: Caller['token'] } {
    const tokens = this.#known();
    if (caller === undefined)
      throw new FactoryError('ERR_FACTORY_CREDENTIAL', 'this factory asks for a token');
    return { tokens, token: caller.token };
  }

  #known(): Tokens {
    if (this.#tokens !== undefined) return this.#tokens;
    throw new FactoryError(
      'ERR_FACTORY_PATH',
      'this factory has no tokens: authentication.enabled is not true',
    );
  }
}

function shape(record: TokenRecord): object {
  const { id, name, subject, scopes, issuableScopes, createdAt, expiresAt, lastUsedOn } = record;
  return {
    id,
    name,
    subject,
    scopes,
    issuable_scopes: issuableScopes,
    stored: true,
    created_at: timeOf(createdAt),
    expires_at: timeOf(expiresAt),
    ...(lastUsedOn === undefined ? {} : { last_used_at: `${lastUsedOn}T00:00:00Z` }),
  };
}

function issuedShape(issued: IssuedToken): object {
  return { token: issued.token, ...shape(issued), org_id: issued.subject, stored: issued.isStored };
}

/** As RFC 3339 has it, to the second. */
function timeOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
}
