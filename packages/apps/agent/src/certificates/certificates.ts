import type { Configuration, MachineRoot } from '@nodecore/config';
import { type Controller, lookAgain, waitFor } from '@nodecore/runtime';
import { Serial, Signal } from '@nodecore/waiting';

import { issueIdentity, renewalMs } from '../keys/node-identity.ts';
import { kindOf } from '../resources/definitions.ts';
import { certificateSpec, type CertificateStatus } from './certificate-status.ts';
import { checkWorker } from './control-plane.ts';
import { certificateStatuses } from './definitions.ts';
import type { CertificateFile } from './kept-certificate.ts';
import { issuingAuthority, nodeCredentials } from './node-certificate.ts';
import { certificateNames, sameNames } from './node-names.ts';
import { SignedCertificates, type SignedCertificatesParts } from './signed-certificates.ts';

const item = 'api';
/** How often the age of the certificates is looked at. A clock that was set, and new addresses, show at the next look. */
const lookMs = 60_000;

/** Has the certificates renewed in time, and shows how they stand. */
export function certificatesController(certificates: Certificates): Controller {
  return {
    name: 'certificates',
    inputs: [],
    outputs: [{ ...kindOf(certificateStatuses), mode: 'exclusive' }],
    outside: async (wake, signal) => {
      while (!signal.aborted) {
        wake(item);
        await certificates.changed.wait(signal).catch(() => {}); // the loop asks the signal
      }
    },
    reconcile: async (_, access, signal) => {
      const retryMs = await certificates.renew(signal);
      const { status } = certificates;
      const spec = status === undefined ? [] : [[item, certificateSpec(status, certificates.nowMs)] as const];
      await access.replace(kindOf(certificateStatuses), new Map(spec));
      if (retryMs === undefined)
        return status?.reason ? waitFor(status.reason, { retryMs: lookMs }) : lookAgain(lookMs);
      return waitFor(status?.reason ?? '', { retryMs });
    },
  };
}

export type CertificatesParts = Omit<SignedCertificatesParts, 'file' | 'names'> & {
  readonly file: Pick<CertificateFile, 'read' | 'write' | 'remove'>;
  readonly names?: SignedCertificatesParts['names'];
};

/** Keeps the certificates of the active configuration young: the server's, and the one the node shows to others. */
export class Certificates implements Disposable {
  readonly #parts: CertificatesParts & { readonly names: SignedCertificatesParts['names'] };
  readonly #turn = new Serial();
  readonly #signed: SignedCertificates;
  /** That issues its certificates itself. */
  #machine: MachineRoot | undefined;
  #own: { readonly crt: string; readonly names: readonly string[]; readonly issuedMs: number } | undefined;
  #isWorker = false;
  /** Fires when a configuration was taken. */
  readonly changed: Signal = new Signal();

  constructor(parts: CertificatesParts) {
    this.#parts = { names: certificateNames, ...parts };
    this.#signed = new SignedCertificates(this.#parts);
  }

  get nowMs(): number {
    return this.#parts.clock.now();
  }

  /** Undefined before the first configuration. */
  get status(): CertificateStatus | undefined {
    if (this.#isWorker) return this.#signed.status;
    return this.#own === undefined
      ? undefined
      : { crt: this.#own.crt, signedBy: 'node', withheld: [], asked: [], reason: '' };
  }

  /** Issues a certificate as the configuration says, or shows the one that was signed, and takes it into use. */
  async use(configuration: Configuration): Promise<void> {
    const { machine } = configuration;
    if (machine === undefined) throw new TypeError('a configuration without a machine is not active');
    if (issuingAuthority(machine) === undefined) {
      await this.#signed.use(configuration);
      [this.#isWorker, this.#machine, this.#own] = [true, undefined, undefined];
    } else {
      await this.#turn.run(() => this.#issue(machine));
      [this.#isWorker, this.#machine] = [false, machine];
      await this.#parts.file.remove(); // of a worker that has become a control plane
    }
    this.changed.notify();
  }

  /**
   * Issues the certificates anew when they are old or the node is called otherwise, or has that done.
   *
   * @returns after how many milliseconds to try again what failed.
   */
  async renew(signal: AbortSignal): Promise<number | undefined> {
    if (this.#isWorker) return await this.#signed.renew(signal);
    const [machine, own] = [this.#machine, this.#own];
    if (machine === undefined || own === undefined) return undefined;
    const ageMs = this.nowMs - own.issuedMs;
    const isYoung = ageMs >= 0 && ageMs < renewalMs; // below 0: the clock was set back
    if (isYoung && sameNames(own.names, this.#parts.names(machine))) return undefined;
    await this.#turn.run(async () => {
      if (this.#machine === machine) await this.#issue(machine);
    });
    return undefined;
  }

  [Symbol.dispose](): void {
    this.#signed[Symbol.dispose]();
  }

  async #issue(machine: MachineRoot): Promise<void> {
    const { server, identity, machineUuid, names } = this.#parts;
    const own = names(machine);
    const credentials = await nodeCredentials(machine, own);
    using _key = credentials.key;
    server.use(credentials);
    identity.use(await issueIdentity(machine, machineUuid()));
    this.#own = { crt: credentials.crt, names: own, issuedMs: this.nowMs };
  }
}

/** Throws when the configuration's authority can't issue, or nobody could sign: with such a configuration the node could not be reached. */
export async function checkAuthority(configuration: Configuration): Promise<void> {
  const { machine } = configuration;
  if (machine === undefined) return; // refused with a better reason elsewhere
  checkWorker(configuration);
  const { key } = await nodeCredentials(machine);
  key[Symbol.dispose]();
}
