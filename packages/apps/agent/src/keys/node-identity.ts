import * as pki from '@nodecore/pki';
import type { MachineRoot } from '@nodecore/config';
import type { Secret } from '@nodecore/sys';

/** How long a server certificate is used before the next one; it is valid for twice as long. */
export const renewalMs: number = 12 * 3_600_000;

/** PEM, both. */
export type Identity = { readonly certificate: string; readonly key: Secret };

/**
 * A new certificate; undefined on a machine without a UUID, and on one that does not have the key of its authority. The key
 * belongs to the caller.
 */
export async function issueIdentity({ ca }: MachineRoot, uuid: string): Promise<Identity | undefined> {
  if (uuid === '' || ca.key === undefined) return undefined;
  const { crt, key } = await pki.issueNode({ crt: ca.crt, key: ca.key }, { uuid, lifetimeMs: 2 * renewalMs });
  return { certificate: crt, key };
}

/**
 * Who this node is to key servers: a client certificate of the machine's authority with the machine's UUID as a name. It
 * opens nothing on this or any other node.
 */
export class NodeIdentity {
  #current: Identity | undefined;
  /** May still be read by a call that is under way. */
  #previous: Identity | undefined;

  /** Undefined before the first configuration, on a machine without a UUID, and on a worker before it was signed. */
  get current(): Identity | undefined {
    return this.#current;
  }

  /** Takes the key over. */
  use(next: Identity | undefined): void {
    this.#previous?.key[Symbol.dispose]();
    this.#previous = this.#current;
    this.#current = next;
  }

  [Symbol.dispose](): void {
    this.#current?.key[Symbol.dispose]();
    this.#previous?.key[Symbol.dispose]();
  }
}
