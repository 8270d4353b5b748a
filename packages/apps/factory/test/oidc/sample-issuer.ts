import { createHash, type KeyObject, generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import type { ExecutionContext } from 'ava';
import { type JWK, SignJWT } from 'jose';

/** A key of an issuer, and the one algorithm that it signs by. */
export type IssuerKey = {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly jwk: JWK;
};

type Grant = { readonly challenge: string; readonly nonce: string; readonly redirectUri: string };

const pairs = {
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  PS384: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ES512: () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
};

export function issuerKey(kid: string, alg: keyof typeof pairs = 'ES256'): IssuerKey {
  const { privateKey, publicKey } = pairs[alg]();
  return { kid, alg, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' } };
}

/** An issuer of OpenID Connect on loopback: discovery, keys, and logins in which everybody is `ann`. Ends with the test. */
export class SampleIssuer {
  readonly url: string;
  keys: readonly IssuerKey[] = [issuerKey('one')];
  /** What is answered in place of what would be, by path. */
  readonly instead = new Map<string, (incoming: IncomingMessage, outgoing: ServerResponse) => void>();
  /** Fields of the discovery document that are other ones. */
  described: Readonly<Record<string, unknown>> = {};
  /** Claims of ID tokens that are other ones. */
  claims: Readonly<Record<string, unknown>> = {};
  readonly #asked: string[] = [];
  readonly #grants = new Map<string, Grant>();

  private constructor(port: number) {
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(t: ExecutionContext): Promise<SampleIssuer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = new SampleIssuer((server.address() as AddressInfo).port);
    server.on('request', (incoming, outgoing) => void issuer.#answer(incoming, outgoing));
    t.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
    return issuer;
  }

  /** How often a path was asked for. */
  count(path: string): number {
    return this.#asked.filter((one) => one === path).length;
  }

  /** A token for the factory, of `ann`. */
  async token(claims: object = {}, key = this.keys[0]!, header: object = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    return await new SignJWT({
      iss: this.url,
      aud: 'factory',
      sub: 'ann',
      iat: now,
      exp: now + 300,
      ...claims,
    })
      .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
      .sign(key.privateKey);
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '', this.url);
    this.#asked.push(url.pathname);
    const instead = this.instead.get(url.pathname);
    if (instead !== undefined) return instead(incoming, outgoing);
    const json = (value: unknown, status = 200): void => {
      outgoing.writeHead(status, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify(value));
    };
    if (url.pathname === '/.well-known/openid-configuration')
      return json({
        issuer: this.url,
        jwks_uri: `${this.url}/keys`,
        authorization_endpoint: `${this.url}/authorize`,
        token_endpoint: `${this.url}/token`,
        id_token_signing_alg_values_supported: Object.keys(pairs),
        authorization_response_iss_parameter_supported: true,
        ...this.described,
      });
    if (url.pathname === '/keys') return json({ keys: this.keys.map(({ jwk }) => jwk) });
    if (url.pathname === '/authorize') return this.#authorize(url.searchParams, outgoing);
    if (url.pathname === '/token') return json(...(await this.#grant(incoming)));
    return json({}, 404);
  }

  /** Leads back at once, as one does that knows who it is already. */
  #authorize(query: URLSearchParams, outgoing: ServerResponse): void {
    const [challenge, nonce, redirectUri] = ['code_challenge', 'nonce', 'redirect_uri'].map(
      (name) => query.get(name) ?? '',
    );
    const isWhole = query.get('code_challenge_method') === 'S256' && query.get('response_type') === 'code';
    const code = createHash('sha256').update(`${this.#grants.size}`).digest('hex');
    if (isWhole) this.#grants.set(code, { challenge: challenge!, nonce: nonce!, redirectUri: redirectUri! });
    const back = new URL(redirectUri!);
    for (const [name, value] of Object.entries({ code, state: query.get('state') ?? '', iss: this.url }))
      back.searchParams.set(name, value);
    outgoing.writeHead(302, { location: back.href }).end();
  }

  /** Once for each code, to who has the verifier and the secret. */
  async #grant(incoming: IncomingMessage): Promise<[value: unknown, status: number]> {
    const form = new URLSearchParams(await text(incoming));
    const [, basic = ''] = incoming.headers.authorization?.split(' ') ?? [];
    // Each half is written as a form would have it (RFC 6749, 2.3.1).
    const credential = decodeURIComponent(Buffer.from(basic, 'base64').toString());
    if (credential !== 'factory:the-secret') return [{ error: 'invalid_client' }, 401];
    const grant = this.#grants.get(form.get('code') ?? '');
    this.#grants.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (grant?.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri'))
      return [{ error: 'invalid_grant' }, 400];
    const token = await this.token({ nonce: grant.nonce, ...this.claims });
    return [{ access_token: 'opaque', token_type: 'Bearer', id_token: token }, 200];
  }
}
