import { systemClock, within } from '@nodecore/waiting';

import { OciError } from '../errors.ts';
import { Asker } from './asker.ts';
import { chunksOf } from './chunks.ts';
import { endpointOf } from './endpoint.ts';

/** What a registry has answered; whoever has it reads the chunks or cancels them. */
export type SourceAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly chunks: AsyncGenerator<Uint8Array>;
  readonly cancel: () => Promise<void>;
};

export type SourceRequest = {
  readonly method: 'GET' | 'HEAD';
  /** Behind the repository, with a query: `tags/list?n=10`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

/** A registry whose answers are passed on: asked without credentials, in plain text only where {@link endpointOf} says so. */
export class SourceRegistry {
  readonly #asker: Asker;
  readonly #silenceMs: number;

  /** @param options `silenceMs`: how long the registry may say nothing; 60 s by default. `ca`: its authorities in PEM. */
  constructor(
    registry: string,
    options: { readonly silenceMs?: number; readonly ca?: string | undefined } = {},
  ) {
    const { silenceMs = 60_000, ca } = options;
    this.#asker = new Asker(endpointOf(registry, { ca }), { ca });
    this.#silenceMs = silenceMs;
  }

  /**
   * @returns an answer of 2xx, 304 or 416.
   * @throws {OciError} for any other.
   */
  async ask(repository: string, { method, path, headers, signal }: SourceRequest): Promise<SourceAnswer> {
    const given = new AbortController();
    const asked = this.#asker.ask(`/v2/${repository}/${path}`, `repository:${repository}:pull`, {
      method,
      // Bytes and lengths are passed on as they are.
      headers: { ...headers, 'accept-encoding': 'identity' },
      also: [304, 416],
      signal: signal === undefined ? given.signal : AbortSignal.any([signal, given.signal]),
    });
    const answer = await within(systemClock, this.#silenceMs, asked);
    if (answer === undefined) {
      given.abort();
      await asked.catch(() => {});
      throw new OciError('ERR_OCI_UNAVAILABLE', `it is silent for ${this.#silenceMs / 1000} s`);
    }
    const { status, body } = answer.value;
    return {
      status,
      headers: answer.value.headers,
      chunks: chunksOf(answer.value, this.#silenceMs, signal),
      cancel: async () => await body?.cancel(),
    };
  }
}
