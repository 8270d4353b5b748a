import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** Where a command reads and writes. Data goes to `out`, everything else to `error`. */
export type Terminal = {
  readonly out: Writable;
  readonly error: Writable;
  readonly input: Readable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Fires when the user interrupts. */
  readonly signal: AbortSignal;
};

/** Writes text or bytes and waits while the reader is slower than we are. */
export async function print(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain');
}

/** Writes bytes that will be overwritten: resolves when the stream needs them no more. */
export async function writeWhole(stream: Writable, bytes: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  stream.write(bytes, (error) => (error ? reject(error) : resolve()));
  await promise;
}
