import { open } from 'node:fs/promises';

import { createCA, type Identity, issueClient } from '@nodecore/pki';
import { codeOf, Secret, writeFileAtomic } from '@nodecore/sys';
import type { Clock } from '@nodecore/waiting';

import { FleetError } from '../errors.ts';

/** The authorities of the links. Neither vouches for the server, and neither's certificates are good where the other's are. */
export type LinkAuthorities = {
  /** Issues the certificates of machines: they have no role anywhere. */
  readonly link: Identity;
  /** Issues what the fleet shows to the node API, with one role each. Nodes believe it because it is handed to them. */
  readonly access: Identity;
};

/** Where the certificate of {@link LinkAuthorities.access} lies: what a configuration needs in `machine.acceptedCAs`. */
export function accessAuthorityPath(stateFile: string): string {
  return `${stateFile}.access.crt`;
}

/** Read from beside the state, mode 0600; made at the first start. @throws {FleetError} `ERR_FLEET_SETUP`. */
export async function linkAuthorities(stateFile: string): Promise<LinkAuthorities> {
  const link = await authority(`${stateFile}.link`, 'fleet links');
  return { link, access: await authority(`${stateFile}.access`, 'fleet access') };
}

async function authority(path: string, name: string): Promise<Identity> {
  const [crt, key] = [await present(`${path}.crt`), await present(`${path}.key`)];
  if (crt !== undefined && key !== undefined) return { crt: crt.toString('utf8'), key: Secret.take(key) };
  // The certificate is written last: without it nobody has seen this authority.
  if (crt !== undefined) throw new FleetError('ERR_FLEET_SETUP', `${path}.key is missing: put it back`);
  const made = await createCA(name);
  await writeFileAtomic(`${path}.key`, made.key.bytes);
  await writeFileAtomic(`${path}.crt`, made.crt);
  return made;
}

async function present(path: string): Promise<Buffer | undefined> {
  try {
    await using file = await open(path, 'r');
    return await file.readFile();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new FleetError('ERR_FLEET_SETUP', `${path}: ${codeOf(error) ?? 'it can not be read'}`);
  }
}

/** Roles of the node API that the fleet passes on. */
export type NodeRole = 'os:reader' | 'os:operator' | 'os:admin';

/** A day; made again when half of it is over. */
const lifetimeMs = 86_400_000;

/** The certificates that the fleet shows to nodes, one for each role, in memory alone. */
export class RoleCertificates implements Disposable {
  readonly #access: Identity;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #made = new Map<NodeRole, { readonly identity: Promise<Identity>; readonly madeMs: number }>();

  constructor(access: Identity, clock: Pick<Clock, 'now'>) {
    this.#access = access;
    this.#clock = clock;
  }

  of(role: NodeRole): Promise<Identity> {
    const nowMs = this.#clock.now();
    const known = this.#made.get(role);
    if (known !== undefined && Math.abs(nowMs - known.madeMs) < lifetimeMs / 2) return known.identity;
    const identity = issueClient(this.#access, { roles: [role], lifetimeMs });
    this.#made.set(role, { identity, madeMs: nowMs });
    return identity;
  }

  [Symbol.dispose](): void {
    for (const { identity } of this.#made.values())
      void identity.then(({ key }) => key[Symbol.dispose]()).catch(() => {});
    this.#made.clear();
  }
}
