import { Agent, request } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { rootCertificates } from 'node:tls';

/** A request as `fetch` takes it, with the body beside it: bytes, or chunks as they are made. */
export type Sent = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | AsyncIterable<Uint8Array> | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** Answers that never have a body (RFC 9110). */
const bodiless = new Set([204, 205, 304]);

/**
 * HTTPS as `fetch` speaks it, for a registry whose certificate is of an authority that nobody else knows. `fetch` itself has one list of
 * authorities for the whole process, and others are not to be believed because a registry is.
 */
export class OwnAuthorities {
  readonly #own: Agent;
  /** Where the registry points to: its storage may be anybody's, and its tokens may be given by its neighbour. */
  readonly #others: Agent;
  readonly #origin: string;

  /**
   * @param origin of the registry; its certificate is proven by these authorities alone.
   * @param ca authorities in PEM.
   */
  constructor(origin: string, ca: string) {
    this.#origin = origin;
    this.#own = new Agent({ ca, keepAlive: true });
    this.#others = new Agent({ ca: [...rootCertificates, ca], keepAlive: true });
  }

  /** Does not follow redirects. Rejects as `fetch` does when there is no answer. */
  async fetch(url: URL, { method, headers, body, signal }: Sent): Promise<Response> {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const agent = url.origin === this.#origin ? this.#own : this.#others;
    const asked = request(url, { method, headers, agent, ...(signal && { signal }) }, (incoming) => {
      const { statusCode: status = 0, headers: found } = incoming;
      const isEmpty = method === 'HEAD' || bodiless.has(status);
      if (isEmpty) incoming.resume();
      const content = isEmpty ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>);
      const answer = new Response(content, { status, headers: Object.entries(found).flatMap(pairsOf) });
      // A constructed answer has none, and addresses in headers count from it.
      resolve(Object.defineProperty(answer, 'url', { value: url.href }));
    });
    asked.on('error', reject);
    if (body === undefined || body instanceof Uint8Array) asked.end(body);
    // Who refuses answers before it has all of it.
    else pipeline(Readable.from(body), asked).catch(reject);
    return await promise;
  }
}

function pairsOf([name, value]: readonly [string, string | string[] | undefined]): [string, string][] {
  return [value ?? []].flat().map((each) => [name, each]);
}
