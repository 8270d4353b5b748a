import { OciError } from '../errors.ts';
import { type Challenge, parseChallenge } from './challenge.ts';
import { isAllowed } from './endpoint.ts';
import { OwnAuthorities, type Sent } from './own-authorities.ts';

/** Name and password for a registry. */
export type Credentials = { readonly username: string; readonly password: string };

const mostRedirects = 5;

/** How a registry is asked. */
export type AskerOptions = {
  /** Sent to the registry itself, and to nobody else. */
  readonly credentials?: Credentials | undefined;
  /** Whether plain text goes to the registry, wherever it is. */
  readonly plain?: boolean;
  /** Authorities of the registry in PEM, in place of those that come with Node.js. */
  readonly ca?: string | undefined;
};

/** What is sent; a body is made anew for each try. */
type Asked = {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: (() => Uint8Array | AsyncIterable<Uint8Array>) | undefined;
};

/**
 * Sends requests to one registry and follows it where it points: with credentials only to the registry itself, in plain
 * text only where {@link isAllowed} says so.
 */
export class Asker {
  readonly #endpoint: URL;
  readonly #credentials: Credentials | undefined;
  readonly #plain: boolean;
  readonly #authorities: OwnAuthorities | undefined;
  /** `Authorization` that has worked, by scope. */
  readonly #known = new Map<string, string>();

  constructor(endpoint: URL, { credentials, plain = false, ca }: AskerOptions = {}) {
    this.#plain = plain;
    this.#endpoint = endpoint;
    this.#credentials = credentials;
    this.#authorities = ca === undefined ? undefined : new OwnAuthorities(endpoint.origin, ca);
  }

  /**
   * @param place a path of the registry, or an address that it has given.
   * @param scope what a token is for: `repository:NAME:pull`.
   * @throws {OciError} unless the answer is good, or is one of `also`.
   */
  async ask(
    place: string | URL,
    scope: string,
    options: Partial<Asked> & {
      readonly also?: readonly number[];
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<Response> {
    const { headers = {}, also = [], method = 'GET', body, signal } = options;
    const url = new URL(place, this.#endpoint);
    if (this.#endpoint.protocol === 'https:' && url.protocol !== 'https:')
      throw new OciError('ERR_OCI_INSECURE', `${url.host}: it points to where it must not`);
    const asked = { method, headers, body };
    let { answer, from } = await this.#follow(url, asked, this.#known.get(scope), signal);
    if (answer.status === 401) {
      // What another host wants is nothing that is the registry's, nor may it say who gets a password.
      if (from.origin !== this.#endpoint.origin) {
        await answer.body?.cancel();
        throw new OciError('ERR_OCI_DENIED', `${from.host}: it wants credentials, and is not the registry`);
      }
      const challenge = parseChallenge(answer.headers.get('www-authenticate') ?? '');
      await answer.body?.cancel();
      const authorization = challenge && (await this.#authorize(challenge, scope, signal));
      if (authorization === undefined)
        throw new OciError('ERR_OCI_DENIED', `${url.host}: it wants credentials`);
      this.#known.set(scope, authorization);
      ({ answer, from } = await this.#follow(url, asked, authorization, signal));
    }
    if (answer.ok || also.includes(answer.status)) return answer;
    await answer.body?.cancel();
    throw wrong(from, answer.status);
  }

  #mayAsk(url: URL): boolean {
    return isAllowed(url) || (this.#plain && url.origin === this.#endpoint.origin);
  }

  /** @returns the answer, and from whom it is. */
  async #follow(
    url: URL,
    { method, headers, body }: Asked,
    authorization: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly answer: Response; readonly from: URL }> {
    let at = url;
    for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
      if (!this.#mayAsk(at)) throw new OciError('ERR_OCI_INSECURE', `${at.host}: only HTTPS goes there`);
      const own = authorization !== undefined && at.origin === this.#endpoint.origin;
      const sent = { method, headers: { ...headers, ...(own ? { authorization } : {}) }, body };
      const answer = await this.#send(at, sent, signal);
      const location = answer.headers.get('location');
      if (answer.status < 300 || answer.status > 399 || answer.status === 304 || location === null)
        return { answer, from: at };
      await answer.body?.cancel();
      if (body !== undefined && answer.status < 307)
        throw new OciError('ERR_OCI_ANSWER', `${at.host}: it takes nothing`);
      const next = URL.parse(location, at.href);
      if (next === null || (at.protocol === 'https:' && next.protocol !== 'https:'))
        throw new OciError('ERR_OCI_INSECURE', `${at.host}: it points to where it must not`);
      at = next;
    }
    throw new OciError('ERR_OCI_ANSWER', `${url.host}: it points on and on`);
  }

  /** Undefined when there are no credentials that could help. */
  async #authorize(
    challenge: Challenge,
    scope: string,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    const credentials = this.#credentials;
    const basic =
      credentials &&
      `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`;
    if (challenge.scheme === 'basic') return basic;
    const { realm, service } = challenge;
    // The realm is the registry's word: a password goes to another host only encrypted.
    if (!this.#mayAsk(realm) || (realm.protocol === 'http:' && realm.origin !== this.#endpoint.origin))
      throw new OciError(
        'ERR_OCI_INSECURE',
        `${realm.host}: tokens are fetched by HTTPS, or from the registry itself`,
      );
    if (service !== undefined) realm.searchParams.set('service', service);
    realm.searchParams.set('scope', challenge.scope ?? scope);
    const headers = basic === undefined ? {} : { authorization: basic };
    const answer = await this.#send(realm, { method: 'GET', headers }, signal);
    const fields = answer.ok ? await answer.json().catch(() => undefined) : await answer.body?.cancel();
    const { token, access_token } = (fields ?? {}) as {
      readonly token?: unknown;
      readonly access_token?: unknown;
    };
    const found = token ?? access_token;
    return typeof found === 'string' && /^[\x21-\x7e]+$/.test(found) ? `Bearer ${found}` : undefined;
  }

  async #send(
    url: URL,
    { method, headers, body }: Asked,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    try {
      const sent = { method, headers, body: body?.(), signal };
      return url.protocol === 'https:' && this.#authorities !== undefined
        ? await this.#authorities.fetch(url, sent)
        : await fetchPlainly(url, sent);
    } catch (error) {
      signal?.throwIfAborted();
      throw new OciError('ERR_OCI_UNAVAILABLE', `${url.host}: no answer`, { cause: error });
    }
  }
}

async function fetchPlainly(url: URL, { method, headers, body: content, signal }: Sent): Promise<Response> {
  return await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(content instanceof Uint8Array && { body: content as Uint8Array<ArrayBuffer> }),
    ...(content !== undefined &&
      !(content instanceof Uint8Array) && { body: ReadableStream.from(content), duplex: 'half' as const }),
    ...(signal === undefined ? {} : { signal }),
  });
}

function wrong(url: URL, status: number): OciError {
  const what = `${url.host}${url.pathname}: ${status}`;
  if (status === 404) return new OciError('ERR_OCI_NOT_FOUND', what, { status });
  if (status === 401 || status === 403) return new OciError('ERR_OCI_DENIED', what, { status });
  if (status === 429 || status >= 500) return new OciError('ERR_OCI_UNAVAILABLE', what, { status });
  return new OciError('ERR_OCI_ANSWER', what, { status });
}
