import { constants, open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { codeOf } from '@nodecore/sys';

import { FactoryError } from '../errors.ts';

/** A list of vulnerabilities as somebody keeps it. */
export type FetchedList = {
  /** Where it is. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** When it was changed for the last time, as who keeps it says. */
  readonly made: Date;
};

/** The largest lists that there are have a tenth of it; a text of V8 has no more characters. */
export const maxListBytes: number = 512 * 2 ** 20;

/** Where lists may be: `file:` is a path of this machine, and what comes in plain text could be of anybody. */
export function isListUrl(text: string): boolean {
  return /^(?:https|file):$/.test(URL.parse(text)?.protocol ?? '');
}

/**
 * Reads a list from a file or a web server.
 *
 * @param url checked by {@link isListUrl}.
 * @throws {FactoryError} with `ERR_FACTORY_SCAN_DATA`, naming the URL without a password in it.
 */
export async function fetchList(
  url: string,
  {
    signal,
    now,
    maxBytes = maxListBytes,
  }: {
    readonly signal: AbortSignal;
    readonly now: Date;
    readonly maxBytes?: number;
  },
): Promise<FetchedList> {
  const place = new URL(url);
  const name = `${place.protocol}//${place.host}${place.pathname}`;
  const wrong = (what: string, cause?: unknown): FactoryError =>
    new FactoryError('ERR_FACTORY_SCAN_DATA', `${name}: ${what}`, { cause });
  try {
    const found = place.protocol === 'file:' ? await ofFile(place) : await ofServer(place, { signal, now });
    const bytes = await collect(found.chunks, maxBytes);
    if (bytes === undefined) throw wrong(`has more than ${maxBytes} bytes`);
    return { name, bytes, made: found.made };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FactoryError) throw error;
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw wrong(codeOf(cause) ?? (error instanceof Error ? error.message : 'can not be read'), error);
  }
}

type Found = { readonly chunks: AsyncIterable<Uint8Array>; readonly made: Date };

async function ofFile(place: URL): Promise<Found> {
  // Without the flag a pipe that nobody writes to would never be opened.
  const file = await open(fileURLToPath(place), constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw new Error('is no file');
    const { mtime } = facts;
    return { chunks: file.createReadStream(), made: mtime }; // the stream closes the file
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A server that does not say when is asked for what it has now. */
async function ofServer(
  place: URL,
  { signal, now }: { readonly signal: AbortSignal; readonly now: Date },
): Promise<Found> {
  const { username, password } = place;
  const bare = new URL(place);
  bare.username = '';
  bare.password = '';
  const secret = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const headers = username === '' ? {} : { authorization: `Basic ${secret.toString('base64')}` };
  const response = await fetch(bare, { signal, headers });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new Error(`the server answers ${response.status}`);
  }
  const said = new Date(response.headers.get('last-modified') ?? now);
  return { chunks: response.body, made: Number.isNaN(said.getTime()) ? now : said };
}

/** @returns undefined for more bytes than these. */
async function collect(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    parts.push(chunk);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
