import type { Configuration, MachineRoot } from '@nodecore/config';
import { atStart, type Controller, lookAgain } from '@nodecore/runtime';
import type { Clock } from '@nodecore/waiting';

import { type NodeIdentity, renewalMs } from '../keys/node-identity.ts';
import { nodeCredentials } from './node-certificate.ts';
import type { ApiServer } from '../server/server.ts';

/** How often the age of the certificates is looked at. A clock that was set shows at the next look. */
const lookMs = 60_000;

/** Has the certificates renewed in time. */
export function certificatesController(certificates: Certificates): Controller {
  return {
    name: 'certificates',
    inputs: [],
    outputs: [],
    outside: atStart('certificates'),
    reconcile: async () => {
      await certificates.renew();
      return lookAgain(lookMs);
    },
  };
}

export type CertificatesParts = {
  readonly server: Pick<ApiServer, 'use'>;
  readonly identity: Pick<NodeIdentity, 'renew'>;
  /** Known by the time there is a configuration. */
  readonly machineUuid: () => string;
  readonly clock: Clock;
};

/** Keeps the certificates of the active configuration young: the server's, and the one the node shows to others. */
export class Certificates {
  readonly #parts: CertificatesParts;
  #machine: MachineRoot | undefined;
  #issuedMs = 0;

  constructor(parts: CertificatesParts) {
    this.#parts = parts;
  }

  /** Issues a certificate as the configuration says and takes it into use. */
  async use({ machine }: Configuration): Promise<void> {
    if (machine === undefined) throw new TypeError('a configuration without a machine is not active');
    await this.#issue(machine);
    this.#machine = machine;
  }

  /** Issues the certificates anew when they are old. */
  async renew(): Promise<void> {
    const ageMs = this.#parts.clock.now() - this.#issuedMs;
    const isYoung = ageMs >= 0 && ageMs < renewalMs; // below 0: the clock was set back
    if (this.#machine !== undefined && !isYoung) await this.#issue(this.#machine);
  }

  async #issue(machine: MachineRoot): Promise<void> {
    const { server, identity, machineUuid, clock } = this.#parts;
    const credentials = await nodeCredentials(machine);
    using _key = credentials.key;
    server.use(credentials);
    await identity.renew(machine, machineUuid());
    this.#issuedMs = clock.now();
  }
}

/** Throws when the configuration's authority can't issue: with such a configuration the node could not be reached. */
export async function checkAuthority({ machine }: Configuration): Promise<void> {
  if (machine === undefined) return; // refused with a better reason elsewhere
  const { key } = await nodeCredentials(machine);
  key[Symbol.dispose]();
}
