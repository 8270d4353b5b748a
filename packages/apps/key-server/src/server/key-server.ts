import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';
import { Served } from '@nodecore/listener';
import { type Clock, Serial, systemClock } from '@nodecore/waiting';
import { Observer } from '@nodecore/sys/observer';
import { FileWatch, type SocketAddress, formatSocketAddress } from '@nodecore/sys';

import { isLoopback } from '../loopback.ts';
import type { KeyRing } from '../ring/key-ring.ts';
import { readRing } from '../ring/ring-file.ts';
import { KeyServerError } from '../errors.ts';
import { Audit } from './audit.ts';
import { type Credentials, readCredentials, type TlsFiles } from './credentials.ts';
import { grpcServer } from './grpc-service.ts';
import { KeyService } from './key-service.ts';
import { LineFile, type LineSink, StandardOutput } from './line-file.ts';
import { Listener } from './listener.ts';
import { createLog, type Log } from './log.ts';
import { Metrics } from './metrics.ts';
import { readNodes } from './nodes-file.ts';
import { defaultLimits, type Limits, RateLimit } from './rate-limit.ts';

export type KeyServerOptions = {
  /** Port 0 asks for a free one. */
  readonly listen: SocketAddress;
  /** Path of the key ring. */
  readonly ring: string;
  /** `plaintext` only on loopback. */
  readonly tls: TlsFiles | 'plaintext';
  /** Path of the list of nodes that are served; undefined: all. */
  readonly nodes?: string | undefined;
  /** Where `/metrics` and `/healthz` are answered, on loopback; undefined: nowhere. */
  readonly observe?: SocketAddress | undefined;
  /** Path of the audit log; undefined: standard output. */
  readonly audit?: string | undefined;
  /** By default 60 calls of a node and 1000 of an address at once, then 1 and 50 a second. */
  readonly limits?: Limits | undefined;
  /** Nowhere by default. */
  readonly log?: Log | undefined;
  readonly clock?: Clock | undefined;
};

/** A rack of nodes may stand behind one address. */
const servedLimits = { max: 1024, maxPerAddress: 512 };
const callTimes = { requestMs: 5_000, stallMs: 10_000 };

/**
 * A key server. Started by {@link start}, owned by its caller.
 *
 * Everything that is in files is read again when a file changes or {@link reload} is called. What can't be used then is
 * logged and counted, and the server goes on with what it has.
 */
export class KeyServer implements AsyncDisposable {
  readonly #options: KeyServerOptions;
  readonly #audit: LineSink;
  readonly #log: Log;
  readonly #metrics = new Metrics();
  readonly #observer: Observer = new Observer(this.#metrics);
  readonly #serial = new Serial();
  readonly #listener: Listener;
  readonly #current: { ring: KeyRing; nodes: ReadonlySet<string> | undefined };
  #credentials: Credentials | undefined;
  #watch: FileWatch | undefined;
  #reloadWaits = false;
  #closed: Promise<void> | undefined;
  #address: SocketAddress;
  #observeAddress: SocketAddress | undefined;

  private constructor(options: KeyServerOptions, ring: KeyRing, audit: LineSink) {
    const { clock = systemClock, limits = defaultLimits, log = createLog('silent', audit), tls } = options;
    this.#options = options;
    this.#audit = audit;
    this.#log = log;
    this.#current = { ring, nodes: undefined };
    this.#address = options.listen;
    const service = new KeyService({
      current: this.#current,
      provenNodes: tls !== 'plaintext' && tls.clientAuthorities !== undefined,
      limits: { node: new RateLimit(limits.node, clock), peer: new RateLimit(limits.peer, clock) },
      audit: new Audit(audit, () => clock.now()),
      metrics: this.#metrics,
      onDefect: (error) => log.error({ err: error }, 'call failed'),
    });
    const served = new Served(servedLimits);
    const stalled = (call: ServerInterceptingCallInterface): void => served.end(call.getConnectionInfo());
    this.#listener = new Listener({
      server: grpcServer(service, { ...callTimes, stalled }),
      served,
      onHandshakeFailure: (peer, reason) => {
        this.#metrics.handshakeFailed();
        log.info({ peer, reason }, 'handshake failed');
      },
    });
    this.#metrics.ring(ring);
  }

  /** @throws {KeyServerError} when it can't be served as the options say; nothing is left open. */
  static async start(options: KeyServerOptions): Promise<KeyServer> {
    checkExposure(options);
    const ring = await readRing(options.ring);
    const audit = await openAudit(options.audit).catch((error: unknown) => {
      ring[Symbol.dispose]();
      throw error;
    });
    const server = new KeyServer(options, ring, audit);
    try {
      await server.#open();
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  /** Where calls are answered. */
  get address(): SocketAddress {
    return this.#address;
  }

  /** Where metrics are answered. */
  get observeAddress(): SocketAddress | undefined {
    return this.#observeAddress;
  }

  /** Reads all files again. Resolves when that is done; never rejects. */
  reload(): Promise<void> {
    return this.#serial.run(async () => {
      this.#reloadWaits = false;
      await this.#attempt('ring', () => this.#readRing());
      if (this.#options.nodes !== undefined) await this.#attempt('nodes', () => this.#readNodes());
      if (this.#options.tls !== 'plaintext')
        await this.#attempt('certificate', () => this.#readCertificate());
    });
  }

  /** Goes on in a new audit log, after the old one was moved away. */
  reopenAudit(): Promise<void> {
    return this.#attempt('audit', () => this.#audit.reopen());
  }

  /** Takes no more calls and lets those that run finish, for some seconds. Twice is fine. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #open(): Promise<void> {
    const { listen, observe, nodes, tls, ring } = this.#options;
    if (nodes !== undefined) await this.#readNodes();
    if (tls !== 'plaintext') await this.#readCertificate();
    if (observe !== undefined) this.#observeAddress = await this.#observer.listen(observe);
    const files = tls === 'plaintext' ? [] : [tls.certificate, tls.key, tls.clientAuthorities];
    this.#watch = new FileWatch(
      [ring, nodes, ...files].filter((path) => path !== undefined),
      () => this.#reloadSoon(),
      (directory, error) =>
        this.#log.warn({ err: error, directory }, 'changes are not seen there; send SIGHUP'),
    );
    this.#address = await this.#listener.listen(listen);
  }

  /** Changes come in bursts; one reading after the last one is enough. */
  #reloadSoon(): void {
    if (this.#reloadWaits) return;
    this.#reloadWaits = true;
    void this.reload();
  }

  async #attempt(file: string, task: () => Promise<void>): Promise<void> {
    try {
      await task();
      this.#metrics.reloaded(file, true);
      if (this.#closed === undefined) this.#log.debug({ file }, 'read again');
    } catch (error) {
      this.#metrics.reloaded(file, false);
      this.#log.error({ err: error, file }, 'can not be used; going on with what was there');
    }
  }

  async #readRing(): Promise<void> {
    const next = await readRing(this.#options.ring);
    const previous = this.#current.ring;
    this.#current.ring = next; // nobody waits between looking a key up and using it
    previous[Symbol.dispose]();
    this.#metrics.ring(next);
    if (next.active.id !== previous.active.id)
      this.#log.info({ key: next.active.id }, 'another ring key is active');
  }

  async #readNodes(): Promise<void> {
    if (this.#options.nodes !== undefined) this.#current.nodes = await readNodes(this.#options.nodes);
  }

  async #readCertificate(): Promise<void> {
    if (this.#options.tls === 'plaintext') return;
    const previous = this.#credentials;
    const next = await readCredentials(this.#options.tls);
    if (next.digest === previous?.digest) return;
    this.#credentials = next;
    this.#listener.use(next.tls, next.authorities === previous?.authorities);
    this.#metrics.certificate(next.notAfterMs);
    this.#log.info({ until: new Date(next.notAfterMs).toISOString() }, 'certificate in use');
  }

  async #close(): Promise<void> {
    this.#watch?.[Symbol.dispose]();
    this.#observer.stopping();
    await this.#listener.close();
    await this.#observer.close();
    await this.#serial.run(() => this.#current.ring[Symbol.dispose]());
    await this.#audit.close();
  }
}

async function openAudit(path: string | undefined): Promise<LineSink> {
  return path === undefined ? new StandardOutput() : await LineFile.open(path);
}

function checkExposure({ listen, observe, tls }: KeyServerOptions): void {
  if (tls === 'plaintext' && !isLoopback(listen)) {
    const message = `plaintext on ${formatSocketAddress(listen)} would show every key to the network; listen on 127.0.0.1 or use a certificate`;
    throw new KeyServerError('ERR_KMS_SETUP', message);
  }
  if (observe !== undefined && !isLoopback(observe)) {
    const message = `metrics on ${formatSocketAddress(observe)} would be everybody's; listen on 127.0.0.1`;
    throw new KeyServerError('ERR_KMS_SETUP', message);
  }
}
