import type { Configuration, MachineRoot } from '@nodecore/config';
import type { Clock } from '@nodecore/sys';

import { nodeCredentials, renewalMs } from './server/node-certificate.ts';
import type { ApiServer } from './server/server.ts';

/** How often the age of the certificate is looked at. A clock that was set shows at the next look. */
const lookMs = 60_000;

/** Keeps the server certificate of the active configuration young. */
export class Certificates {
  readonly #server: Pick<ApiServer, 'use'>;
  readonly #clock: Clock;
  #machine: MachineRoot | undefined;
  #issuedMs = 0;

  constructor(server: Pick<ApiServer, 'use'>, clock: Clock) {
    this.#server = server;
    this.#clock = clock;
  }

  /** Issues a certificate as the configuration says and takes it into use. */
  async use({ machine }: Configuration): Promise<void> {
    if (machine === undefined) throw new TypeError('a configuration without a machine is not active');
    await this.#issue(machine);
    this.#machine = machine;
  }

  /** Renews until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#clock.sleep(lookMs, signal);
      const ageMs = this.#clock.now() - this.#issuedMs;
      const isYoung = ageMs >= 0 && ageMs < renewalMs; // below 0: the clock was set back
      if (this.#machine !== undefined && !isYoung) await this.#issue(this.#machine);
    }
  }

  async #issue(machine: MachineRoot): Promise<void> {
    const credentials = await nodeCredentials(machine);
    using _key = credentials.key;
    this.#server.use(credentials);
    this.#issuedMs = this.#clock.now();
  }
}

/** Throws when the configuration's authority can't issue: then nobody could reach the node with it. */
export async function checkAuthority({ machine }: Configuration): Promise<void> {
  if (machine === undefined) return; // refused with a better reason elsewhere
  const { key } = await nodeCredentials(machine);
  key[Symbol.dispose]();
}
