import type { IncomingHttpHeaders } from 'node:http2';

import { Secret } from '@nodecore/sys';

import type { Endpoint } from '@nodecore/kms-endpoint';
import { KmsError } from './errors.ts';
import { statusError } from './failure.ts';

/** Before every message: whether it is compressed, and its length. https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md */
export const prefixBytes = 5;
/** A blob of 64 KiB and its field. */
const maxBytes = prefixBytes + (64 << 10) + 16;

/** What a server answers to one call, checked as it comes. Bytes are overwritten where they came from. */
export class Answer implements Disposable {
  readonly #endpoint: Endpoint;
  readonly #bytes: Buffer = Buffer.allocUnsafeSlow(maxBytes);
  #size = 0;
  #status: KmsError | 'OK' | undefined;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /** Headers, and trailers, of which one has the status. */
  headers(headers: IncomingHttpHeaders): void {
    const http = headers[':status'];
    if (http !== undefined) this.#checkHttp(Number(http), headers['content-type'] ?? '');
    const number = headers['grpc-status'];
    if (number === undefined) return;
    if (!/^\d{1,3}$/.test(String(number))) throw this.#impossible('its status is no number');
    const message = wordsOf(headers['grpc-message']);
    this.#status = Number(number) === 0 ? 'OK' : statusError(this.#endpoint, Number(number), message);
  }

  data(chunk: Buffer): void {
    if (this.#size + chunk.byteLength > maxBytes) throw this.#impossible(`more than ${maxBytes} bytes`);
    chunk.copy(this.#bytes, this.#size);
    this.#size += chunk.byteLength;
    chunk.fill(0);
  }

  /** Whether the server said how the call ended. */
  get isComplete(): boolean {
    return this.#status !== undefined;
  }

  /** The message, which the caller disposes. @throws {KmsError} for any other end. */
  message(): Secret {
    if (this.#status !== 'OK') throw this.#status ?? this.#impossible('it ends without a status');
    if (this.#size < prefixBytes) throw this.#impossible('no message in it');
    if (this.#bytes[0] !== 0) throw this.#impossible('compressed, which was not asked for');
    if (this.#bytes.readUInt32BE(1) !== this.#size - prefixBytes)
      throw this.#impossible('its length is not what it says');
    return Secret.copy(this.#bytes.subarray(prefixBytes, this.#size));
  }

  [Symbol.dispose](): void {
    this.#bytes.fill(0, 0, this.#size);
  }

  #checkHttp(status: number, contentType: string): void {
    const { text } = this.#endpoint;
    if ([429, 502, 503, 504].includes(status))
      throw new KmsError('ERR_KMS_BUSY', text, `HTTP status ${status}`);
    if (status !== 200) throw this.#impossible(`HTTP status ${status}`);
    if (!contentType.startsWith('application/grpc'))
      throw this.#impossible(`not gRPC but ${contentType.slice(0, 60)}`);
  }

  #impossible(what: string): KmsError {
    return new KmsError('ERR_KMS_ANSWER', this.#endpoint.text, `the answer can't be one: ${what}`);
  }
}

/** The server's words for people: percent-encoded, of any length, with any characters. */
function wordsOf(encoded: string | readonly string[] | undefined): string {
  const text = String(encoded ?? '').slice(0, 600);
  let words: string;
  try {
    words = decodeURIComponent(text);
  } catch {
    words = text;
  }
  return words.replaceAll(/[^\P{C}]/gu, ' ').slice(0, 300);
}
