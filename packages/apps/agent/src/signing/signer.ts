import { isIP } from 'node:net';

import {
  CertificateTerms,
  type CertificateRequest,
  type CertificateResponseInit,
} from '@nodecore/api/security';
import { bareRequestKey, PkiError, signNodeCSR, signServerCSR } from '@nodecore/pki';
import type { Secret } from '@nodecore/sys';
import { type Clock, type Rate, TokenBucket } from '@nodecore/waiting';

import { renewalMs } from '../keys/node-identity.ts';
import { Claims } from './claims.ts';
import { SigningError } from './errors.ts';
import { canonicalName, isLoopback, knownAddresses, readNames, reservation } from './names.ts';
import { isProof } from './proof.ts';
import type { SignedNodes } from './signed-nodes.ts';
import { Tally } from '../tally.ts';

/** What a control plane signs with. The secrets are the configuration's. */
export type SigningAuthority = {
  readonly ca: { readonly crt: string; readonly key: Secret };
  readonly token: Secret;
};

export type SignerParts = {
  /** Of the active configuration; undefined while nothing is signed. */
  readonly authority: () => SigningAuthority | undefined;
  /** Names and addresses of control planes, which no worker gets. */
  readonly controlPlanes: () => Promise<readonly string[]>;
  /** Addresses of control planes that sign, too; reserved as those, and told to workers. */
  readonly signers: () => readonly string[];
  readonly clock: Pick<Clock, 'now'>;
  /** Hears of each node before it gets its certificate. */
  readonly signed?: Pick<SignedNodes, 'add'>;
  /** Of all together, and of one address. */
  readonly rates?: { readonly all: Rate; readonly address: Rate };
};

/** As many workers as begin at once after a power cut come within minutes. A request takes 16 ms of a processor. */
const usualRates = { all: { burst: 128, perSecond: 32 }, address: { burst: 32, perSecond: 2 } };

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/** What was signed, for the audit: nothing of it is secret. */
export type Signed = {
  readonly response: CertificateResponseInit;
  readonly key: string;
  readonly names: readonly string[];
};

/** Signs what a worker may have: certificates for servers, for its own names, and one that says which machine it is. */
export class Signer {
  /** How requests have ended: `signed`, or what the code of the error says. */
  readonly outcomes: Tally = new Tally(['signed']);
  readonly #parts: SignerParts;
  readonly #claims = new Claims();
  readonly #all: TokenBucket;
  readonly #addresses = new Map<string, TokenBucket>();
  readonly #rates: NonNullable<SignerParts['rates']>;

  constructor(parts: SignerParts) {
    this.#parts = parts;
    this.#rates = parts.rates ?? usualRates;
    this.#all = new TokenBucket(this.#rates.all, parts.clock.now());
  }

  /** @param from the address that the request came from. @throws {SigningError} */
  async sign(request: CertificateRequest, from: string): Promise<Signed> {
    try {
      const signed = await this.#sign(request, from);
      this.outcomes.add('signed');
      return signed;
    } catch (error) {
      const code = error instanceof SigningError ? error.code : 'ERR_SIGNING_FAILED';
      this.outcomes.add(code.slice('ERR_SIGNING_'.length).toLowerCase());
      throw error;
    }
  }

  async #sign({ terms, proof }: CertificateRequest, from: string): Promise<Signed> {
    const { authority, controlPlanes, clock } = this.#parts;
    const signers = knownAddresses(this.#parts.signers());
    const signing = authority();
    if (signing === undefined)
      throw new SigningError('ERR_SIGNING_CLOSED', 'this node has no configuration that it signs by');
    // Nothing of a request is read before its maker is known.
    if (!isProof(signing.token, terms, proof))
      throw new SigningError('ERR_SIGNING_PROOF', 'machine.token of the caller is not that of this cluster');
    const address = canonicalName(from) ?? from;
    this.#admit(address);
    const { csr, names: asked, uuid } = readTerms(terms);
    const names = readNames(asked);
    if (uuid !== '' && !uuidForm.test(uuid))
      throw new SigningError('ERR_SIGNING_REQUEST', 'uuid: not a UUID in lower case');
    const claimant = { key: await requestKey(csr), address };
    const reserved = new Set([...(await controlPlanes()), ...signers]);
    const nowMs = clock.now();
    const why = (name: string): string | undefined => {
      if (isLoopback(name)) return undefined;
      const holder = this.#claims.holder(name, claimant, nowMs);
      if (reserved.has(name)) return 'is a name of a control plane';
      return reservation(name) ?? (holder === undefined ? undefined : `is of the node at ${holder}`);
    };
    const withheld = names.flatMap((name) => {
      const reason = why(name);
      return reason === undefined ? [] : [{ name, reason }];
    });
    const granted = names.filter((name) => !withheld.some((each) => each.name === name));
    const own = granted.filter((name) => !isLoopback(name));
    if (own.length === 0) throw new SigningError('ERR_SIGNING_NAMES', wordsOf(withheld));
    const machine = uuid === '' ? undefined : `urn:uuid:${uuid}`;
    const otherMachine = machine === undefined ? undefined : this.#claims.holder(machine, claimant, nowMs);
    const isMachine = machine !== undefined && otherMachine === undefined;
    const claims = [...own, ...(isMachine ? [machine] : [])];
    if (!this.#claims.hasRoom(claims, nowMs))
      throw new SigningError('ERR_SIGNING_BUSY', 'more names are in use than a signer remembers');
    const lifetime = { lifetimeMs: 2 * renewalMs, nowMs };
    this.#claims.take(claims, claimant, nowMs + lifetime.lifetimeMs);
    const { ca } = signing;
    const response = {
      serverCertificate: await signServerCSR(ca, csr, {
        names: granted.toSorted(byTelling),
        ...lifetime,
      }),
      nodeCertificate: isMachine ? await signNodeCSR(ca, csr, { uuid, ...lifetime }) : '',
      authority: ca.crt,
      controlPlanes: signers,
      withheld: [
        ...withheld,
        ...(otherMachine === undefined
          ? []
          : [{ name: uuid, reason: `is the UUID of the machine at ${otherMachine}, too` }]),
      ],
    };
    await this.#parts.signed?.add(granted, { address, untilMs: nowMs + lifetime.lifetimeMs });
    return { response, key: claimant.key, names: granted };
  }

  #admit(address: string): void {
    const nowMs = this.#parts.clock.now();
    for (const [other, bucket] of this.#addresses) if (bucket.isFull(nowMs)) this.#addresses.delete(other);
    const bucket = this.#addresses.get(address) ?? new TokenBucket(this.#rates.address, nowMs);
    this.#addresses.set(address, bucket);
    if (!bucket.take(nowMs) || !this.#all.take(nowMs))
      throw new SigningError('ERR_SIGNING_BUSY', 'too many certificates are asked for: ask again later');
  }
}

function readTerms(bytes: Uint8Array): CertificateTerms {
  try {
    return CertificateTerms.decode(bytes);
  } catch {
    throw new SigningError('ERR_SIGNING_REQUEST', 'terms: the bytes are no CertificateTerms');
  }
}

async function requestKey(csr: string): Promise<string> {
  try {
    return await bareRequestKey(csr);
  } catch (cause) {
    if (!(cause instanceof PkiError)) throw cause;
    throw new SigningError('ERR_SIGNING_REQUEST', `csr: ${cause.message}`, { cause });
  }
}

/** The first name is the subject of the certificate: what the node is called, and not what each is. */
function byTelling(left: string, right: string): number {
  return rankOf(left) - rankOf(right);
}

function rankOf(name: string): number {
  if (isLoopback(name)) return 2;
  return isIP(name) === 0 ? 0 : 1;
}

function wordsOf(withheld: readonly { readonly name: string; readonly reason: string }[]): string {
  if (withheld.length === 0) return 'names: there is none beside those of loopback';
  return withheld.map(({ name, reason }) => `${name} ${reason}`).join('; ');
}
