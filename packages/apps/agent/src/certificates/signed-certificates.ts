import type { Configuration, MachineRoot } from '@nodecore/config';
import { fingerprint, readCertificate } from '@nodecore/pki';
import { codeOf, type Secret } from '@nodecore/sys';
import { Backoff, type Clock } from '@nodecore/waiting';

import { type NodeIdentity, renewalMs } from '../keys/node-identity.ts';
import type { Log } from '../log.ts';
import type { ApiServer } from '../server/server.ts';
import type { CertificateStatus } from './certificate-status.ts';
import { controlPlaneOf } from './control-plane.ts';
import { askInTurn, type Attempt, candidatesOf } from './control-planes.ts';
import type { CertificateFile, KeptCertificate } from './kept-certificate.ts';
import { clientAuthorities, nodeCredentials } from './node-certificate.ts';
import { isIssuedBy, type requestCertificate } from './request-certificate.ts';

export type SignedCertificatesParts = {
  readonly server: Pick<ApiServer, 'use'>;
  readonly identity: Pick<NodeIdentity, 'use'>;
  readonly machineUuid: () => string;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly file: Pick<CertificateFile, 'read' | 'write'>;
  readonly request: typeof requestCertificate;
  /** Where control planes sign. */
  readonly port: number;
  /** What the certificate is to say. */
  readonly names: (machine: MachineRoot) => readonly string[];
  readonly random?: () => number;
};

/** Whom to ask, as a configuration says it. The token is a copy: the configuration may go meanwhile. */
type Asking = {
  readonly machine: MachineRoot;
  readonly authorities: readonly string[];
  readonly host: string;
  readonly token: Secret;
};

/** The certificates of a worker: signed by a control plane, kept on STATE, asked for again in time. */
export class SignedCertificates implements Disposable {
  readonly #parts: SignedCertificatesParts;
  readonly #backoff: Backoff;
  /** A fifth of the time, at random: workers that began together do not ask together for ever. */
  readonly #renewalMs: number;
  #asking: Asking | undefined;
  #kept: KeptCertificate | undefined;
  /** What the last request asked for, which may be more than was given. */
  #asked: string | undefined;
  #withheld: CertificateStatus['withheld'] = [];
  #attempts: readonly Attempt[] = [];
  #reason = '';

  constructor(parts: SignedCertificatesParts) {
    const { random = Math.random } = parts;
    this.#parts = parts;
    this.#backoff = new Backoff({ firstMs: 1_000, largestMs: 60_000, random });
    this.#renewalMs = renewalMs * (0.8 + random() / 5);
  }

  get status(): CertificateStatus {
    return {
      crt: this.#kept?.server,
      signedBy: 'controlPlane',
      withheld: this.#withheld,
      asked: this.#attempts,
      reason: this.#reason,
    };
  }

  /** Shows what is kept, or a throw-away certificate: nothing is waited for. */
  async use(configuration: Configuration): Promise<void> {
    const { machine } = configuration;
    if (machine === undefined) throw new TypeError('a configuration without a machine is not active');
    const authorities = clientAuthorities(machine);
    const where = controlPlaneOf(configuration);
    this.#asking?.token[Symbol.dispose]();
    this.#asking =
      'token' in where ? { machine, authorities, host: where.host, token: where.token.clone() } : undefined;
    this.#reason = 'token' in where ? '' : `${where.path} ${where.message}`;
    this.#attempts = [];
    this.#backoff.reset();
    if (this.#kept === undefined) this.#replace(await this.#parts.file.read());
    // Of a cluster that the node was in before nothing is shown.
    if (this.#kept !== undefined && !authorities.some((each) => isIssuedBy(this.#kept!.server, each)))
      this.#replace(undefined);
    await this.#show(machine, authorities);
  }

  /**
   * Has the certificate signed again when it is time.
   *
   * @returns after how many milliseconds to try again what failed; undefined when there is nothing to do.
   */
  async renew(signal: AbortSignal): Promise<number | undefined> {
    const asking = this.#asking;
    if (asking === undefined || !this.#isDue(asking)) return undefined;
    const { request, file, clock, port, names, machineUuid, log } = this.#parts;
    const { machine, authorities, host, token } = asking;
    const [wanted, uuid] = [names(machine), machineUuid()];
    using own = token.clone();
    const key = this.#kept?.key;
    const wish = { port, token: own, authorities, names: wanted, uuid, key, nowMs: clock.now() };
    const isOver = (): boolean => this.#asking !== asking;
    const known = candidatesOf(host, this.#kept?.controlPlanes);
    const { signed: answer, attempts } = await askInTurn(known, { request, isOver }, wish, signal);
    if (isOver()) {
      answer?.key[Symbol.dispose]();
      return 0; // another configuration came meanwhile
    }
    this.#attempts = attempts;
    if (answer === undefined) {
      this.#reason = attempts.map(({ reason }) => reason).join('; ');
      return this.#backoff.next();
    }
    try {
      const { withheld, ...signed } = answer;
      this.#replace(signed);
      [this.#asked, this.#withheld, this.#reason] = [wishOf(wanted, uuid), withheld, ''];
      await this.#show(machine, authorities);
      await file.write(signed);
      const by = attempts.at(-1)?.host;
      log.info(
        { host: by, names: wanted, withheld },
        'a control plane has signed the certificate of the node',
      );
    } catch (error) {
      if (codeOf(error) === undefined || signal.aborted) throw error;
      if (isOver()) return 0;
      this.#reason = error instanceof Error ? error.message : String(error);
      return this.#backoff.next();
    }
    if (!isIssuedBy(this.#kept!.server, machine.ca.crt)) {
      this.#reason = 'the control plane does not sign with machine.ca yet';
      return this.#backoff.next();
    }
    this.#backoff.reset();
    return undefined;
  }

  [Symbol.dispose](): void {
    this.#asking?.token[Symbol.dispose]();
    this.#asking = undefined;
    this.#replace(undefined);
  }

  #isDue({ machine }: Asking): boolean {
    if (this.#kept === undefined || !isIssuedBy(this.#kept.server, machine.ca.crt)) return true;
    const { names, clock, machineUuid } = this.#parts;
    const { validToDate } = readCertificate(this.#kept.server);
    const leftMs = validToDate.getTime() - clock.now();
    if (leftMs <= 2 * renewalMs - this.#renewalMs || leftMs > 2 * renewalMs + skewMs) return true;
    // After a start it is not known what was asked for: the network may have given other addresses meanwhile.
    return this.#asked !== wishOf(names(machine), machineUuid());
  }

  async #show(machine: MachineRoot, authorities: readonly string[]): Promise<void> {
    const { server, identity, log } = this.#parts;
    const kept = this.#kept;
    identity.use(kept?.node === undefined ? undefined : { certificate: kept.node, key: kept.key.clone() });
    if (kept !== undefined) {
      server.use({ crt: kept.server, key: kept.key, clientAuthorities: authorities });
      return;
    }
    const credentials = await nodeCredentials(machine);
    using _key = credentials.key;
    server.use(credentials);
    const shown = fingerprint(credentials.crt);
    log.warn(
      { fingerprint: shown },
      'the node shows a throw-away certificate until a control plane has signed one',
    );
  }

  #replace(next: KeptCertificate | undefined): void {
    const previous = this.#kept;
    this.#kept = next;
    previous?.key[Symbol.dispose]();
  }
}

/** What the clocks of two machines may differ without being wrong. */
const skewMs = 3_600_000;

function wishOf(names: readonly string[], uuid: string): string {
  return [...names.toSorted(), uuid].join();
}
