import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

import type { ExecutionContext } from 'ava';

type Kept = { readonly bytes: Buffer; readonly metadata: Readonly<Record<string, string>> };

/** What goes wrong with the next answers. */
export type Fault = 'cut' | 'hold' | 'patience' | 'refuse' | 'silence' | undefined;

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

/**
 * As much of an S3-compatible store as objects need: a bucket `factory`, and signatures as AWS describes them (Signature Version 4), which
 * curl is the judge of. An object is there when all of it has come and is what was signed.
 */
export class S3Server {
  readonly objects = new Map<string, Kept>();
  /** By access key. */
  readonly secrets: Map<string, string> = new Map([['factory', 'hunter2']]);
  readonly requests: string[] = [];
  fault: Fault;
  endpoint = '';
  readonly #sockets = new Set<Socket>();
  #idle = Promise.withResolvers<void>();
  #heard = Promise.withResolvers<void>();
  #held = Promise.withResolvers<void>();

  /** Resolves when the next request has come. */
  async heard(): Promise<void> {
    await this.#heard.promise;
  }

  readonly connected = (socket: Socket): void => {
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0) this.#idle.resolve();
    });
  };

  /** Resolves when no client is there any more. */
  async idle(): Promise<void> {
    if (this.#sockets.size === 0) return;
    this.#idle = Promise.withResolvers();
    await this.#idle.promise;
  }

  /** Resolves when an object is halfway, and comes no further. */
  async held(): Promise<void> {
    await this.#held.promise;
    this.#held = Promise.withResolvers();
  }

  readonly listener: RequestListener = (incoming, outgoing) =>
    void this.#answer(incoming, outgoing).catch(() => outgoing.destroy());

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    this.requests.push(`${method} ${url}`);
    this.#heard.resolve();
    this.#heard = Promise.withResolvers();
    if (this.fault === 'hold' && method === 'PUT') {
      incoming.once('data', () => this.#held.resolve()).once('data', () => incoming.pause());
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const refuse = (status: number, code: string): void =>
      void outgoing.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
    if (this.fault === 'silence') return;
    if (this.fault === 'patience') {
      const again = setInterval(() => outgoing.writeContinue(), 50);
      outgoing.once('close', () => clearInterval(again));
      return;
    }
    if (this.fault === 'refuse') return refuse(503, 'SlowDown');
    const wrong = this.#wrongOf(incoming, body);
    if (wrong !== undefined) return refuse(403, wrong);
    const [, bucket, ...key] = url.split('/');
    if (bucket !== 'factory') return refuse(404, 'NoSuchBucket');
    const name = key.join('/');
    if (method === 'PUT') {
      const metadata = Object.entries(headers).filter(([header]) => header.startsWith('x-amz-meta-'));
      this.objects.set(name, {
        bytes: body,
        metadata: Object.fromEntries(metadata) as Record<string, string>,
      });
      return void outgoing.writeHead(200).end();
    }
    const kept = this.objects.get(name);
    if (kept === undefined) return refuse(404, 'NoSuchKey');
    outgoing.writeHead(200, { ...kept.metadata, 'content-length': kept.bytes.length });
    if (this.fault !== 'cut' && this.fault !== 'hold') return void outgoing.end(kept.bytes);
    outgoing.write(kept.bytes.subarray(0, kept.bytes.length / 2), () =>
      this.fault === 'hold' ? this.#held.resolve() : outgoing.destroy(),
    );
  }

  /** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
  #wrongOf({ method, url = '', headers }: IncomingMessage, body: Buffer): string | undefined {
    const pattern =
      /^AWS4-HMAC-SHA256 Credential=(?<id>[^/]+)\/(?<scope>(?<date>\d{8})\/(?<region>[^/]+)\/s3\/aws4_request), ?SignedHeaders=(?<names>[^,]+), ?Signature=(?<signature>[0-9a-f]{64})$/;
    const {
      id = '',
      scope,
      date,
      region,
      names = '',
      signature,
    } = pattern.exec(headers.authorization ?? '')?.groups ?? {};
    const secret = this.secrets.get(id);
    if (secret === undefined) return 'InvalidAccessKeyId';
    const payload = String(headers['x-amz-content-sha256'] ?? sha256(body));
    if (payload !== sha256(body)) return 'XAmzContentSHA256Mismatch';
    const signed = names.split(';');
    if (!Object.keys(headers).every((name) => !name.startsWith('x-amz-') || signed.includes(name)))
      return 'AccessDenied';
    const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('');
    const [path = '', query = ''] = url.split('?', 2);
    const canonical = [method, path, query, lines, names, payload].join('\n');
    const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
    const key = [date, region, 's3', 'aws4_request'].reduce<string | Buffer>(
      (from, part) =>
        createHmac('sha256', from)
          .update(part ?? '')
          .digest(),
      `AWS4${secret}`,
    );
    return createHmac('sha256', key).update(text).digest('hex') === signature
      ? undefined
      : 'SignatureDoesNotMatch';
  }
}

/** A store on loopback that ends with the test. */
export async function s3Server(
  t: ExecutionContext,
  tls?: { readonly cert: string; readonly key: string },
): Promise<S3Server> {
  const server = new S3Server();
  const http = tls === undefined ? createServer(server.listener) : createSecureServer(tls, server.listener);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  server.endpoint = `127.0.0.1:${(http.address() as AddressInfo).port}`;
  http.on('connection', server.connected);
  t.teardown(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  return server;
}
