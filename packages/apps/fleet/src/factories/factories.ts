import { readFile } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

import type { FactoryPlace } from '../configuration.ts';
import { FleetError } from '../errors.ts';

/** A document, and by what its factory tells it from another. */
type Kept = { readonly etag: string; readonly bytes: Buffer };

/** Ten times what any image has. */
const maxBytes = 64 * 2 ** 20;
/** What is kept in memory of documents, of all together. */
const maxKeptBytes = 64 * 2 ** 20;
/** A scan of an image that nobody has asked for takes seconds. */
const timeoutMs = 60_000;

/**
 * The image factories of a fleet. What one does not know the next one is asked for. A document that has been had is asked for again by
 * its digest, and sent again only when it has changed: what is known of vulnerabilities changes from one day to the next.
 */
export class Factories {
  readonly #places: readonly FactoryPlace[];
  /** In the order of their last use. */
  readonly #kept = new Map<string, Kept>();
  #keptBytes = 0;

  constructor(places: readonly FactoryPlace[]) {
    this.#places = places;
  }

  /**
   * A document of the first factory that has it.
   *
   * @param path behind the factory's URL; whoever calls has checked it.
   * @throws {FleetError} with `ERR_FLEET_NO_FACTORY`, `ERR_FLEET_NOT_FOUND` when none has it, `ERR_FLEET_STATE` when one can not say it,
   *   `ERR_FLEET_FACTORY`. Nothing of a token is in any.
   */
  async report(path: string, signal: AbortSignal): Promise<Buffer> {
    let unknown: FleetError | undefined;
    for (const place of this.#places)
      try {
        return await this.#ask(place, path, signal);
      } catch (error) {
        if (!(error instanceof FleetError) || error.code !== 'ERR_FLEET_NOT_FOUND') throw error;
        unknown ??= error;
      }
    throw (
      unknown ??
      new FleetError('ERR_FLEET_NO_FACTORY', 'this fleet has no image factory: --primary-factory-url')
    );
  }

  async #ask(place: FactoryPlace, path: string, signal: AbortSignal): Promise<Buffer> {
    const url = new URL(`${place.url.href.replace(/\/+$/, '')}/${path}`);
    const kept = this.#kept.get(url.href);
    const token = await tokenOf(place);
    const wrong = (what: string, cause?: unknown): FleetError =>
      new FleetError('ERR_FLEET_FACTORY', `${place.url.origin}: ${what}`, { cause });
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(url, {
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(kept !== undefined && { 'if-none-match': kept.etag }),
        },
        // A factory leads nowhere, and a token is for it alone.
        redirect: 'manual',
        signal: AbortSignal.any([signal, limit]),
      });
      const bytes = await bytesOf(response);
      if (response.status === 304 && kept !== undefined) return this.#keep(url.href, kept);
      if (bytes === undefined) throw wrong(`answers more than ${maxBytes} bytes`);
      if (response.status !== 200) throw refusalOf(response.status, bytes, wrong);
      const etag = response.headers.get('etag');
      return etag === null ? bytes : this.#keep(url.href, { etag, bytes });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof FleetError) throw error;
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      throw wrong(
        limit.aborted ? `has not answered in ${timeoutMs / 1_000} s` : (codeOf(cause) ?? 'fails'),
        error,
      );
    }
  }

  #keep(name: string, kept: Kept): Buffer {
    this.#forget(name);
    this.#kept.set(name, kept);
    this.#keptBytes += kept.bytes.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#keptBytes <= maxKeptBytes) break;
      this.#forget(oldest);
    }
    return kept.bytes;
  }

  #forget(name: string): void {
    this.#keptBytes -= this.#kept.get(name)?.bytes.length ?? 0;
    this.#kept.delete(name);
  }
}

async function tokenOf({ tokenFile }: FactoryPlace): Promise<string | undefined> {
  if (tokenFile === undefined) return undefined;
  const text = await readFile(tokenFile, 'utf8').catch((error: unknown) => {
    throw new FleetError('ERR_FLEET_FACTORY', `${tokenFile}: ${codeOf(error) ?? 'can not be read'}`);
  });
  const token = text.trim();
  if (!/^[\w.~+/=-]{1,8192}$/.test(token))
    throw new FleetError('ERR_FLEET_FACTORY', `${tokenFile}: must have a token, and nothing else`);
  return token;
}

/** Undefined for more bytes than there may be. */
async function bytesOf(response: Response): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What a factory does not say, as it says that. */
function refusalOf(status: number, bytes: Buffer, wrong: (what: string) => FleetError): FleetError {
  const said = bytes
    .toString()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]+/gu, ' ')
    .trim()
    .slice(0, 300);
  if (status === 401) return wrong('does not take the token of this fleet');
  if (status === 403) return wrong(`does not let this fleet read it: ${said}`);
  if (status === 404) return new FleetError('ERR_FLEET_NOT_FOUND', `the image factory: ${said}`);
  if (status === 400) return new FleetError('ERR_FLEET_STATE', `the image factory: ${said}`);
  return wrong(`answers ${status}: ${said}`);
}
