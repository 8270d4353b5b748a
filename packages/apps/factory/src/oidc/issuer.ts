import {
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from 'jose';
import {
  allowInsecureRequests,
  type AuthorizationServer,
  customFetch,
  discoveryRequest,
  processDiscoveryResponse,
} from 'oauth4webapi';

import { FactoryError } from '../errors.ts';
import { askIssuer } from './ask-issuer.ts';

/** How long what an issuer says is taken for what it would say now. */
const freshMs = 10 * 60_000;
/** How long keys count while nobody can ask for newer ones. */
const keptMs = 60 * 60_000;
/** How often it is asked again because of a key that it had not, or did not answer. */
const pauseMs = 10_000;
/** Many times what any issuer has. */
const maxBytes = 256 * 1_024;

type FindKey = ReturnType<typeof createLocalJWKSet>;

/** What an issuer says of itself, and its keys. */
type Known = {
  readonly server: AuthorizationServer;
  readonly find: FindKey;
  readonly readAtMs: number;
};

/** As the library asks. */
type Asked = {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** How {@link discoveryRequest} and its like ask this issuer. */
export type IssuerTransport = {
  readonly [customFetch]: (url: string, asked: Asked) => Promise<Response>;
  readonly [allowInsecureRequests]: boolean;
};

/**
 * An issuer of OpenID Connect: where things are by its discovery document, and its keys. Asked once for all who wait. That it fails is
 * never remembered: the next one asks again, unless there are keys of before.
 */
export class Issuer {
  /** As its tokens name it. */
  readonly issuer: string;
  readonly transport: IssuerTransport;
  readonly #nowMs: () => number;
  #known: Known | undefined;
  #asking: Promise<Known> | undefined;
  #askedAtMs = -Infinity;

  constructor(options: {
    readonly issuer: string;
    readonly timeoutMs?: number | undefined;
    readonly now: () => Date;
  }) {
    const { issuer, timeoutMs = 5_000, now } = options;
    this.issuer = issuer;
    this.#nowMs = () => now().getTime();
    this.transport = {
      [allowInsecureRequests]: new URL(issuer).protocol === 'http:',
      [customFetch]: (url, { method = 'GET', headers, body }) =>
        askIssuer(
          new URL(url),
          {
            method,
            headers,
            body: body === undefined || body === null ? undefined : bodyText(body),
          },
          { issuer, timeoutMs, maxBytes },
        ),
    };
  }

  /** @throws {FactoryError} with `ERR_FACTORY_ISSUER`. */
  async server(): Promise<AuthorizationServer> {
    return (await this.#current()).server;
  }

  /**
   * The key that a token says it was signed by. One that is not there may be new, and is asked for.
   *
   * @throws {FactoryError} with `ERR_FACTORY_ISSUER`; {@link errors.JOSEError} when there is no such key.
   */
  readonly keyOf = async (
    header: JWSHeaderParameters,
    token: FlattenedJWSInput,
  ): Promise<Awaited<ReturnType<FindKey>>> => {
    const known = await this.#current();
    try {
      return await known.find(header, token);
    } catch (error) {
      const isRecent = this.#asking === undefined && this.#nowMs() - this.#askedAtMs < pauseMs;
      if (!(error instanceof errors.JWKSNoMatchingKey) || isRecent) throw error;
      return await (await this.#ask()).find(header, token);
    }
  };

  async #current(): Promise<Known> {
    const known = this.#known;
    const now = this.#nowMs();
    const age = known === undefined ? Infinity : now - known.readAtMs;
    if (known !== undefined && age < freshMs) return known;
    if (known !== undefined && age < keptMs && now - this.#askedAtMs < pauseMs) return known;
    try {
      return await this.#ask();
    } catch (error) {
      if (known !== undefined && age < keptMs) return known;
      throw error;
    }
  }

  #ask(): Promise<Known> {
    this.#asking ??= this.#read().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #read(): Promise<Known> {
    this.#askedAtMs = this.#nowMs();
    try {
      const url = new URL(this.issuer);
      const answer = await discoveryRequest(url, this.transport);
      const server = await processDiscoveryResponse(url, answer);
      // The document has it letter by letter, and so have tokens; a URL may be written in several ways.
      if (server.issuer !== this.issuer)
        throw this.#wrong(
          'calls itself by another name; authentication.oidc.issuer must have it to the letter',
        );
      const keysUrl = URL.parse(server.jwks_uri ?? '');
      if (keysUrl === null) throw this.#wrong('does not say where its keys are');
      const keys = await this.transport[customFetch](keysUrl.href, {
        headers: { accept: 'application/json' },
      });
      if (keys.status !== 200) throw this.#wrong(`answers ${keys.status} for its keys`);
      const find = createLocalJWKSet((await keys.json()) as JSONWebKeySet);
      this.#known = { server, find, readAtMs: this.#nowMs() };
      return this.#known;
    } catch (error) {
      if (error instanceof FactoryError) throw error;
      throw this.#wrong('does not describe itself as OpenID Connect has it', error);
    }
  }

  #wrong(what: string, cause?: unknown): FactoryError {
    return new FactoryError('ERR_FACTORY_ISSUER', `${this.issuer}: ${what}`, { cause });
  }
}

/** Of the library: a text, or fields of a form. */
function bodyText(body: unknown): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString();
  throw new TypeError('a body that is no form');
}
