import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { type IncomingMessage, request as requestPlainly } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { codeOf } from '@nodecore/sys';
import { AwsV4Signer } from 'aws4fetch';

import { isCertificateCode, readAuthorities } from '../authorities.ts';
import { FactoryError } from '../errors.ts';
import { type Environment, wrong } from '../settings.ts';
import { placeOfCredentials, readCredentials } from './bucket-credentials.ts';
import type { BucketOptions } from './bucket-options.ts';

/** How long nothing may come or go, unless the options say otherwise. */
const defaultSilentMs = 30_000;
/** An object that comes more slowly is made here sooner; 64 KiB a second. */
const leastBytesPerMs = 64;
/** The most that one request may put. */
const maxBytes = 5 * 2 ** 30;
const chunkBytes = 256 * 1_024;
/** SHA-256 of nothing. */
const nothing = createHash('sha256').digest('hex');

/** The two halves of the key that all factories of a bucket have. */
export type BucketKeys = { readonly privateKey: KeyObject; readonly publicKey: KeyObject };

type Asked = {
  readonly body?: Body;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
};

type Body = { readonly stream: Readable; readonly size: number; readonly sha256: string };

/**
 * Objects in a bucket of an S3-compatible store, each put whole or not at all. The bucket is not trusted: what is in it counts only with
 * the signature of a factory over its name and bytes.
 */
export class Bucket {
  readonly #options: BucketOptions;
  readonly #keys: BucketKeys;
  readonly #ca: string | undefined;
  readonly #environment: Environment;
  readonly #silentMs: number;

  private constructor(
    options: BucketOptions,
    keys: BucketKeys,
    { ca, environment }: { readonly ca: string | undefined; readonly environment: Environment },
  ) {
    this.#options = options;
    this.#keys = keys;
    this.#ca = ca;
    this.#environment = environment;
    this.#silentMs = options.silentMs ?? defaultSilentMs;
  }

  /**
   * Asks whether the bucket is there and lets us in. One that does not answer now may answer later.
   *
   * @param warn told when it does not answer.
   * @param environment where the options name no credentials.
   * @throws {FactoryError} with `ERR_FACTORY_SETUP`, naming the key that is wrong.
   */
  static async open(
    options: BucketOptions,
    keys: BucketKeys,
    warn: (line: string) => void,
    environment: Environment = process.env,
  ): Promise<Bucket> {
    const { caPath, credentialsPath } = options;
    await readCredentials(credentialsPath, environment);
    const ca = caPath === undefined ? undefined : await readAuthorities('cache.s3.caPath', caPath);
    const bucket = new Bucket(options, keys, { ca, environment });
    const code = await bucket
      .#probe()
      .catch((error: unknown) => (error instanceof FactoryError ? error.message : 'no answer'));
    const key = keyOf(code, placeOfCredentials(credentialsPath, environment));
    if (key !== undefined) throw wrong(`${key}: ${bucket.name}: ${code}`);
    if (code !== 'NoSuchKey' && code !== '200')
      warn(`cache.s3: ${bucket.name}: ${code}: asked again when it is needed`);
    return bucket;
  }

  /** For people. */
  get name(): string {
    return `${this.#options.endpoint}/${this.#options.bucket}`;
  }

  /**
   * Writes an object into a file.
   *
   * @param file is empty; after an error it has any bytes.
   * @param signal ends the request.
   * @returns false when there is none.
   * @throws {FactoryError} with `ERR_FACTORY_STORE`, also for one that no factory has signed; the file's own errors.
   */
  async read(name: string, file: FileHandle, signal?: AbortSignal): Promise<boolean> {
    const answer = await this.#ask('GET', name, { signal });
    try {
      return await this.#take(answer, name, file);
    } finally {
      answer.destroy(); // what a full disk has no room for comes no further
    }
  }

  async #take(answer: IncomingMessage, name: string, file: FileHandle): Promise<boolean> {
    if (answer.statusCode !== 200) {
      const code = await this.#errorOf(answer);
      if (code === 'NoSuchKey') return false;
      throw failed(code);
    }
    // Before anything of it is written: nobody else has a say in how much that is.
    const about = this.#aboutOf(answer, name);
    using _deadline = this.#deadline(answer, about.size);
    const hash = createHash('sha256');
    let size = 0;
    // A connection that is cut ends in an error, and a file that is full in its own.
    const chunks = answer.iterator()[Symbol.asyncIterator]();
    const next = async () =>
      await chunks.next().catch((error: unknown) => Promise.reject(failed(codeOf(error))));
    for (let item = await next(); item.done !== true; item = await next()) {
      const chunk = item.value as Buffer;
      hash.update(chunk);
      await writeAt(file, chunk, size);
      size += chunk.length;
    }
    if (hash.digest('hex') !== about.sha256) throw foreign();
    return true;
  }

  /** What an answer says of an object, as a factory has signed it. */
  #aboutOf({ headers }: IncomingMessage, name: string): { readonly size: number; readonly sha256: string } {
    const size = Number(headers['content-length']);
    const sha256 = String(headers['x-amz-meta-sha256']);
    const signature = Buffer.from(String(headers['x-amz-meta-signature'] ?? ''), 'base64');
    if (!verify(null, statement(name, size, sha256), this.#keys.publicKey, signature)) throw foreign();
    return { size, sha256 };
  }

  /**
   * Puts a file there.
   *
   * @param signal ends the request.
   * @throws {FactoryError} with `ERR_FACTORY_STORE`; then it is not there, or another one of this name is.
   */
  async write(name: string, file: FileHandle, signal?: AbortSignal): Promise<void> {
    await using readable = await open(`/proc/self/fd/${file.fd}`);
    const { size } = await readable.stat();
    if (size === 0 || size > maxBytes) return;
    const hash = createHash('sha256');
    for await (const chunk of chunksOf(readable)) {
      signal?.throwIfAborted();
      hash.update(chunk);
    }
    const sha256 = hash.digest('hex');
    const signature = sign(null, statement(name, size, sha256), this.#keys.privateKey).toString('base64');
    const answer = await this.#ask('PUT', name, {
      body: { stream: Readable.from(chunksOf(readable)), size, sha256 },
      headers: { 'x-amz-meta-signature': signature, 'x-amz-meta-sha256': sha256 },
      signal,
    });
    const code = await this.#errorOf(answer);
    if (answer.statusCode !== 200) throw failed(code);
  }

  /** @returns `200`, or the code of an error. */
  async #probe(): Promise<string> {
    const answer = await this.#ask('GET', 'nobody-puts-this');
    return answer.statusCode === 200 ? '200' : await this.#errorOf(answer);
  }

  async #ask(
    method: string,
    name: string,
    { body, headers = {}, signal }: Asked = {},
  ): Promise<IncomingMessage> {
    const { bucket, endpoint, region, credentialsPath, isInsecure = false } = this.#options;
    const url = `${isInsecure ? 'http' : 'https'}://${endpoint}/${bucket}/assets/${name}`;
    const signer = new AwsV4Signer({
      method,
      url,
      region,
      service: 's3',
      headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? nothing },
      ...(await readCredentials(credentialsPath, this.#environment)),
    });
    const signed = await signer.sign();
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const options = {
      method,
      headers: {
        ...Object.fromEntries(signed.headers),
        ...(body && { 'content-length': body.size, 'content-type': 'application/octet-stream' }),
      },
      agent: false as const,
      timeout: this.#silentMs,
      ...(signal && { signal }),
    };
    const asked = isInsecure
      ? requestPlainly(url, options, resolve)
      : requestSecurely(url, { ...options, ...(this.#ca !== undefined && { ca: this.#ca }) }, resolve);
    // What is no answer, as `100 Continue` again and again, keeps a connection from being silent.
    using _whole = this.#deadline(asked, body?.size);
    asked.on('timeout', () =>
      asked.destroy(Object.assign(new Error('no byte in time'), { code: 'ETIMEDOUT' })),
    );
    asked.on('error', (error) => reject(failed(codeOf(error))));
    if (body === undefined) asked.end();
    // A store that refuses answers before it has all of it, and then takes no more.
    else await Promise.race([promise, pipeline(body.stream, asked).catch(() => {})]);
    using _answer = this.#deadline(asked);
    return await promise;
  }

  /** The code of an answer, which is XML. @returns its status where there is none. */
  async #errorOf(answer: IncomingMessage): Promise<string> {
    using _deadline = this.#deadline(answer);
    let text = '';
    try {
      for await (const chunk of answer) {
        text += String(chunk);
        if (text.length > 65_536) break; // what is said has been said by then
      }
    } catch (error) {
      throw failed(codeOf(error));
    }
    return (
      /<Code>(?<code>[A-Za-z]{1,64})<\/Code>/.exec(text)?.groups?.['code'] ?? `status ${answer.statusCode}`
    );
  }

  /** Ends what is still coming or going when this many bytes had their time. */
  #deadline(coming: { destroy(error: Error): unknown }, bytes = 0): Disposable {
    const late = Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' });
    const timer = setTimeout(() => coming.destroy(late), this.#silentMs + bytes / leastBytesPerMs);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  }
}

async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(chunkBytes), position });
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The position of the file itself stays at its beginning. */
async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;)
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
}

/** What a factory signs of an object: nothing else that the key signs begins so. */
function statement(name: string, size: number, sha256: string): Buffer {
  return Buffer.from(`nodecore factory object\n${name}\n${size}\n${sha256}\n`);
}

/** Which key of the configuration is wrong; undefined for what may be better later. */
function keyOf(code: string, placeOfCredentials: string): string | undefined {
  if (
    ['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'AccessDenied', 'InvalidToken', 'ExpiredToken'].includes(
      code,
    )
  )
    return placeOfCredentials;
  if (code === 'NoSuchBucket' || code === 'InvalidBucketName') return 'cache.s3.bucket';
  if (code === 'AuthorizationHeaderMalformed' || code === 'PermanentRedirect') return 'cache.s3.region';
  return isCertificateCode(code) ? 'cache.s3.caPath' : undefined;
}

function foreign(): FactoryError {
  return failed('is not what a factory has put there');
}

/** Has nothing of the request, which has the credentials in it. */
function failed(why: string | undefined): FactoryError {
  return new FactoryError('ERR_FACTORY_STORE', why ?? 'the connection was lost');
}
