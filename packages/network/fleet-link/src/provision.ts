import { createCSR } from '@nodecore/pki';
import type { TLSSocket } from 'node:tls';

import { LinkError } from './errors.ts';
import { checkProof, type LinkIdentity, machineId, prove, publicKeyOf } from './identity.ts';

/** What a machine says of itself. None of it is proven but by the link being the machine's own. */
export type MachineFacts = {
  /** Of the hardware; several machines may say the same one. */
  readonly uuid: string;
  /** SHA-256 of the public key of the certificate that the node API shows now, in base64; absent when it shows none yet. */
  readonly nodeApiSpki?: string | undefined;
  readonly osVersion: string;
  readonly schematicId?: string | undefined;
  /** `maintenance` before the first configuration, `running` after it; others as they come. */
  readonly stage: string;
  readonly hostname?: string | undefined;
  readonly addresses?: readonly string[] | undefined;
};

/** A Provision message whose proof holds. */
export type ProvisionRequest = {
  /** {@link machineId} of the key. */
  readonly machine: string;
  /** Subject public key info, DER. */
  readonly key: Buffer;
  /** PKCS #10 in PEM form, for the same key. Nothing but its key is to be taken from it. */
  readonly csr: string;
  readonly joinToken: string | undefined;
  readonly facts: MachineFacts;
};

/** What the fleet says to Provision. */
export type ProvisionAnswer =
  | { readonly state: 'pending' }
  | {
      readonly state: 'accepted';
      /** For the machine's key, PEM. */
      readonly certificate: string;
      /** PEM of the authority by whose client certificates the fleet calls the node API in maintenance. */
      readonly fleetCA: string;
      /** When the fleet asks for Provision again, in seconds. */
      readonly renewAfter: number;
    }
  | {
      readonly state: 'denied';
      readonly reason: string;
      /** Before which the machine does not come again, in seconds. */
      readonly retryAfter?: number;
    };

const maxTextLength = 256;
const maxAddresses = 64;
const maxPemLength = 16 << 10;

/** The message of a machine, for this connection alone. */
export async function provisionMessage(
  identity: LinkIdentity,
  joinToken: string | undefined,
  facts: MachineFacts,
  socket: TLSSocket,
): Promise<object> {
  return {
    ...facts,
    key: publicKeyOf(identity).toString('base64'),
    csr: await createCSR(identity.key),
    ...(joinToken && { joinToken }),
    proof: prove(identity, socket),
  };
}

/** @throws {LinkError} `ERR_LINK_PROTOCOL`, or `ERR_LINK_PROOF` when it was not made on this connection by the holder of its key. */
export function readProvision(message: unknown, socket: TLSSocket): ProvisionRequest {
  const fields = fieldsOf(message);
  const key = Buffer.from(text(fields, 'key'), 'base64');
  checkProof(key, Buffer.from(text(fields, 'proof'), 'base64'), socket);
  return {
    machine: machineId(key),
    key,
    csr: text(fields, 'csr', maxPemLength),
    joinToken: optional(fields, 'joinToken', 2048),
    facts: readFacts(fields),
  };
}

/** The facts of a message, without what else it has. @throws {LinkError} `ERR_LINK_PROTOCOL`. */
export function readFacts(message: unknown): MachineFacts {
  const fields = fieldsOf(message);
  const { addresses = [] } = fields;
  if (!Array.isArray(addresses) || addresses.length > maxAddresses) throw wrong('addresses');
  return {
    uuid: text(fields, 'uuid').toLowerCase(),
    nodeApiSpki: optional(fields, 'nodeApiSpki'),
    osVersion: text(fields, 'osVersion'),
    schematicId: optional(fields, 'schematicId'),
    stage: text(fields, 'stage'),
    hostname: optional(fields, 'hostname'),
    addresses: addresses.map((each) => shown(each, 'addresses')),
  };
}

/** @throws {LinkError} `ERR_LINK_PROTOCOL`. */
export function readAnswer(message: unknown): ProvisionAnswer {
  const fields = fieldsOf(message);
  const { state } = fields;
  if (state === 'pending') return { state };
  if (state === 'denied') {
    const retryAfter =
      fields['retryAfter'] === undefined ? {} : { retryAfter: seconds(fields, 'retryAfter') };
    return { state, reason: text(fields, 'reason', 1024), ...retryAfter };
  }
  if (state !== 'accepted') throw wrong('state');
  return {
    state,
    certificate: text(fields, 'certificate', maxPemLength),
    fleetCA: text(fields, 'fleetCA', maxPemLength),
    renewAfter: seconds(fields, 'renewAfter'),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(message: unknown): Fields {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) throw wrong('message');
  return message as Fields;
}

function optional(fields: Fields, name: string, maxLength = maxTextLength): string | undefined {
  return fields[name] === undefined ? undefined : text(fields, name, maxLength);
}

function text(fields: Fields, name: string, maxLength = maxTextLength): string {
  return shown(fields[name], name, maxLength);
}

/** It ends in terminals: no control characters but the line ends of PEM. */
function shown(value: unknown, name: string, maxLength = maxTextLength): string {
  if (typeof value !== 'string' || value.length > maxLength) throw wrong(name);
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/u.test(value)) throw wrong(name);
  return value;
}

function seconds(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value !== 'number' || !(value >= 0) || value > 31_536_000) throw wrong(name);
  return value;
}

function wrong(field: string): LinkError {
  return new LinkError('ERR_LINK_PROTOCOL', `a message of the link: ${field} is not as it must be`);
}
