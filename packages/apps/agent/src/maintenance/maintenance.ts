import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MachineRoot } from '@nodecore/config';
import { fingerprint } from '@nodecore/pki';
import { makeDirectory, removeFileDurably } from '@nodecore/sys';

import type { Log } from '../log.ts';
import { maintenanceCredentials, nodeCredentials } from '../certificates/node-certificate.ts';
import type { Address } from '../address.ts';
import type { ApiServer } from '../server/server.ts';

/** The spec of a `MaintenanceStatus`. */
export type MaintenanceStatus = { readonly reason: string; readonly fingerprint: string };

export type MaintenanceParts = {
  readonly log: Log;
  readonly server: ApiServer;
  /** A directory that does not outlive the boot. */
  readonly runDirectory: string;
  /** Called when it begins, and with undefined when it is over. */
  readonly changed?: (status: MaintenanceStatus | undefined) => void;
  /** Where people look; standard error by default. */
  readonly console?: (line: string) => void;
};

/** The time before the first configuration: any client may connect, and an operator can check the identity of the node. */
export class Maintenance {
  readonly #parts: MaintenanceParts;
  #begun = false;

  constructor(parts: MaintenanceParts) {
    this.#parts = parts;
  }

  /** Shows a throw-away certificate and says its fingerprint. Twice is fine: the fingerprint stays. */
  async begin(reason: string, { host, port }: Address): Promise<void> {
    if (this.#begun) return;
    this.#begun = true;
    const { server, log, console = (line) => process.stderr.write(`${line}\n`) } = this.#parts;
    const credentials = await maintenanceCredentials();
    using _key = credentials.key;
    const { fingerprint: shown } = credentials;
    await makeDirectory(this.#parts.runDirectory, { mode: 0o755 });
    await writeFile(this.#file, `${shown}\n`);
    server.use(credentials);
    this.#parts.changed?.({ reason, fingerprint: shown });
    log.info({ reason, fingerprint: shown, host, port }, 'maintenance: waiting for the first configuration');
    console(`maintenance on port ${port}: osctl apply-config --insecure --cert-fingerprint ${shown} …`);
  }

  /**
   * As {@link begin}, for a node that has a configuration and can not use it: only who that lets in may call. Without its authorities
   * anybody may look, and nobody may change anything.
   */
  async beginClosed(reason: string, machine: MachineRoot | undefined, address: Address): Promise<void> {
    if (this.#begun || machine === undefined) return await this.begin(reason, address);
    this.#begun = true;
    const { server, log } = this.#parts;
    const credentials = await nodeCredentials(machine);
    using _key = credentials.key;
    server.use(credentials);
    const shown = fingerprint(credentials.crt);
    this.#parts.changed?.({ reason, fingerprint: shown });
    log.error({ reason, fingerprint: shown }, 'maintenance: the persisted configuration can not be used');
  }

  async end(): Promise<void> {
    if (!this.#begun) return;
    this.#begun = false;
    this.#parts.changed?.(undefined);
    await removeFileDurably(this.#file);
  }

  get #file(): string {
    return join(this.#parts.runDirectory, 'maintenance-fingerprint');
  }
}
