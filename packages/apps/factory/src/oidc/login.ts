import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';
import { EncryptJWT, jwtDecrypt } from 'jose';
import {
  AuthorizationResponseError,
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockSkew,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  HTTP_REQUEST_FORBIDDEN,
  INVALID_SERVER_METADATA,
  JWT_TIMESTAMP_CHECK,
  MISSING_SERVER_METADATA,
  None,
  OperationProcessingError,
  processAuthorizationCodeResponse,
  PARSE_ERROR,
  REQUEST_PROTOCOL_FORBIDDEN,
  ResponseBodyError,
  RESPONSE_IS_NOT_CONFORM,
  RESPONSE_IS_NOT_JSON,
  validateAuthResponse,
} from 'oauth4webapi';

import { FactoryError } from '../errors.ts';
import { type Identity, verifyIdentity } from './identity.ts';
import type { Issuer } from './issuer.ts';
import type { OidcOptions } from './options.ts';

/** How long somebody may take at the issuer. */
export const loginSeconds = 600;

/** What is said of answers that nobody could have meant. */
const brokenAnswers: readonly unknown[] = [
  HTTP_REQUEST_FORBIDDEN,
  INVALID_SERVER_METADATA,
  MISSING_SERVER_METADATA,
  PARSE_ERROR,
  REQUEST_PROTOCOL_FORBIDDEN,
  RESPONSE_IS_NOT_CONFORM,
  RESPONSE_IS_NOT_JSON,
];

/** What a login needs when it comes back, kept by the browser that began it, where nobody else can read or make it. */
type Begun = {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Where in the factory it leads. */
  readonly to: string;
};

/** What it takes to log people in. */
type LoginOptions = OidcOptions & { readonly client: NonNullable<OidcOptions['client']> };

/** Logs people in at an issuer: authorization code with PKCE (RFC 7636). Keeps nothing of a login that has begun. */
export class Login {
  readonly #issuer: Issuer;
  readonly #options: LoginOptions;
  readonly #redirectUri: string;
  readonly #now: () => Date;
  /** Of this process: a login that begins before a restart is begun again. */
  readonly #key = randomBytes(32);

  constructor(options: {
    readonly issuer: Issuer;
    readonly oidc: LoginOptions;
    readonly externalUrl: string;
    readonly now: () => Date;
  }) {
    this.#issuer = options.issuer;
    this.#options = options.oidc;
    this.#redirectUri = `${options.externalUrl}/callback`;
    this.#now = options.now;
  }

  /**
   * @param to where in the factory it leads.
   * @returns the address at the issuer, and what the browser keeps until it comes back.
   * @throws {FactoryError} with `ERR_FACTORY_ISSUER`.
   */
  async begin(to: string): Promise<{ readonly location: string; readonly kept: string }> {
    const { client } = this.#options;
    const { authorization_endpoint: endpoint = '' } = await this.#issuer.server();
    const location = URL.parse(endpoint);
    if (location === null || location.protocol !== new URL(this.#issuer.issuer).protocol)
      throw this.#wrong('does not say where people log in');
    const begun: Begun = {
      state: generateRandomState(),
      nonce: generateRandomNonce(),
      verifier: generateRandomCodeVerifier(),
      to,
    };
    for (const [name, value] of Object.entries({
      client_id: client.id,
      code_challenge: await calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
      nonce: begun.nonce,
      redirect_uri: this.#redirectUri,
      response_type: 'code',
      scope: client.scopes.join(' '),
      state: begun.state,
    }))
      location.searchParams.set(name, value);
    const kept = await new EncryptJWT(begun)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setExpirationTime(Math.floor(this.#now().getTime() / 1_000) + loginSeconds)
      .encrypt(this.#key);
    return { location: location.href, kept };
  }

  /**
   * Ends a login that came back.
   *
   * @param query of the address that the issuer led to.
   * @throws {FactoryError} with `ERR_FACTORY_LOGIN` for one that this browser has not begun, or that the issuer refused; with
   *   `ERR_FACTORY_ISSUER`; with `ERR_FACTORY_CREDENTIAL` for a token that is none for this factory.
   */
  async finish(
    query: URLSearchParams,
    kept: string | undefined,
  ): Promise<{ readonly identity: Identity; readonly to: string }> {
    const begun = await this.#begun(kept);
    const server = await this.#issuer.server();
    const now = this.#now();
    const client: Client = {
      client_id: this.#options.client.id,
      [clockSkew]: Math.round((now.getTime() - Date.now()) / 1_000),
    };
    const answer = await this.#exchange(server, client, query, begun);
    const identity = await verifyIdentity(answer, this.#issuer, {
      ...this.#options,
      audiences: [client.client_id],
      now,
    });
    return { identity, to: begun.to };
  }

  /** @returns the ID token, whose claims are what this login asked for; its signature is still to be proven. */
  async #exchange(
    server: AuthorizationServer,
    client: Client,
    query: URLSearchParams,
    { state, nonce, verifier }: Begun,
  ): Promise<string> {
    const authentication = await this.#authentication(server);
    const { transport } = this.#issuer;
    try {
      const code = validateAuthResponse(server, client, query, state);
      const answer = await authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        code,
        this.#redirectUri,
        verifier,
        transport,
      );
      const { id_token: token = '' } = await processAuthorizationCodeResponse(server, client, answer, {
        expectedNonce: nonce,
        requireIdToken: true,
      });
      return token;
    } catch (error) {
      if (error instanceof FactoryError) throw error;
      if (error instanceof AuthorizationResponseError || isGrantRefused(error))
        throw new FactoryError('ERR_FACTORY_LOGIN', 'the issuer has refused it', { cause: error });
      if (error instanceof ResponseBodyError)
        throw this.#wrong('does not know this factory by authentication.oidc.clientId and its secret', error);
      if (error instanceof OperationProcessingError && error.code === JWT_TIMESTAMP_CHECK)
        throw new FactoryError(
          'ERR_FACTORY_LOGIN',
          'the token of the issuer does not hold now: clocks may differ by 30 s',
          { cause: error },
        );
      if (error instanceof OperationProcessingError && !isOfIssuer(error))
        throw new FactoryError('ERR_FACTORY_LOGIN', 'what came back is not what was begun', { cause: error });
      throw this.#wrong('does not answer a login as OpenID Connect has it', error);
    }
  }

  async #begun(kept: string | undefined): Promise<Begun> {
    try {
      const { payload } = await jwtDecrypt<Begun>(kept ?? '', this.#key, { currentDate: this.#now() });
      return payload;
    } catch {
      throw new FactoryError('ERR_FACTORY_LOGIN', 'this browser has begun no login, or too long ago');
    }
  }

  /** The file is read each time: a secret is exchanged without a restart. */
  async #authentication({
    token_endpoint_auth_methods_supported: methods,
  }: AuthorizationServer): Promise<ClientAuth> {
    const { secretPath } = this.#options.client;
    if (secretPath === undefined) return None();
    const secret = await readClientSecret(secretPath).catch((error: unknown) => {
      throw this.#wrong('can not be asked: authentication.oidc.clientSecretPath is no longer there', error);
    });
    // Some issuers say null where they have nothing to say.
    const isPost = Array.isArray(methods) && !methods.includes('client_secret_basic');
    return isPost ? ClientSecretPost(secret) : ClientSecretBasic(secret);
  }

  #wrong(what: string, cause?: unknown): FactoryError {
    return new FactoryError('ERR_FACTORY_ISSUER', `${this.#issuer.issuer}: ${what}`, { cause });
  }
}

/** @throws {FactoryError} with `ERR_FACTORY_SETUP`, which says nothing of what is in the file. */
export async function readClientSecret(path: string): Promise<string> {
  const wrong = (what: string): FactoryError => new FactoryError('ERR_FACTORY_SETUP', `${path}: ${what}`);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw wrong(codeOf(error) ?? 'can not be read');
  });
  const secret = text.trim();
  if (secret === '' || secret.length > 1_024)
    throw wrong('must have the secret of the client, and nothing else');
  return secret;
}

/** What the issuer says of itself, or answers the factory: nothing that a browser has brought. */
function isOfIssuer({ code, cause }: OperationProcessingError): boolean {
  return brokenAnswers.includes(code) || (typeof cause === 'object' && cause !== null && 'body' in cause);
}

/** A code that was used, or is too old. */
function isGrantRefused(error: unknown): boolean {
  return error instanceof ResponseBodyError && error.error === 'invalid_grant';
}
