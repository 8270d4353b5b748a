import { generateKeyPair, randomBytes, randomInt } from 'node:crypto';
import { promisify } from 'node:util';

import * as pki from '@nodecore/pki';
import { Secret } from '@nodecore/sys';

import { type Contract, has } from './contract.ts';

const generate = promisify(generateKeyPair);

/** Certificate and key in PEM, in base64. */
export type StoredAuthority = { readonly crt: string; readonly key: string };

/** What makes nodes members of one cluster, whatever the orchestrator is. */
export type NodeSecrets = {
  readonly cluster: {
    /** Base64 of 32 bytes; it is a name, and stays byte for byte. */
    readonly id: string;
    /** Base64 of 32 bytes. */
    readonly secret: string;
  };
  readonly trustdinfo: { readonly token: string };
  readonly certs: { readonly kvstore: StoredAuthority; readonly os: StoredAuthority };
};

/** The identity of a cluster: while this is kept, its configurations can be generated again. The strings can't be wiped. */
export type ClusterSecrets = NodeSecrets & {
  readonly secrets: {
    readonly bootstraptoken: string;
    /** 32 bytes in base64; one of the two is there, or both: then the first writes, and both read. */
    readonly secretboxencryptionsecret?: string;
    readonly aescbcencryptionsecret?: string;
  };
  readonly certs: {
    readonly orch: StoredAuthority;
    readonly orchaggregator: StoredAuthority;
    readonly orchserviceaccount: { readonly key: string };
  };
};

/** New random secrets of nodes, and two authorities of ten years. */
export async function createNodeSecrets(nowMs: number = Date.now()): Promise<NodeSecrets> {
  // An authority of its own for the kvstore: its clients are not thereby clients of the node API.
  const [os, kvstore] = await Promise.all([
    stored(pki.createCA('os', { nowMs })),
    stored(pki.createCA('kvstore', { nowMs })),
  ]);
  return {
    cluster: { id: base64(32), secret: base64(32) },
    trustdinfo: { token: joinToken() },
    certs: { kvstore, os },
  };
}

export type CreateOptions = {
  readonly contract: Contract;
  /** Joins machines to the orchestrator, in place of a random one. */
  readonly bootstrapToken?: string;
  /** The clock is read once, so that all certificates begin and end together. */
  readonly nowMs?: number;
};

/** New random secrets of a cluster with its orchestrator. An RSA key takes a second of a processor. */
export async function createSecrets({
  contract,
  bootstrapToken,
  nowMs = Date.now(),
}: CreateOptions): Promise<ClusterSecrets> {
  const [nodes, orch, orchaggregator, key] = await Promise.all([
    createNodeSecrets(nowMs),
    // What programs of the orchestrator look for in a subject.
    stored(pki.createWebAuthority('kubernetes', { nowMs })),
    stored(pki.createWebAuthority('', { nowMs, commonName: 'front-proxy' })),
    tokenKey(contract),
  ]);
  const { cluster, certs } = nodes;
  const id = has(contract, 'documents') ? cluster.id : cluster.id.replaceAll('+', '-').replaceAll('/', '_');
  return {
    cluster: { ...cluster, id },
    secrets: {
      bootstraptoken: bootstrapToken ?? joinToken(),
      [has(contract, 'secretbox') ? 'secretboxencryptionsecret' : 'aescbcencryptionsecret']: base64(32),
    },
    trustdinfo: nodes.trustdinfo,
    certs: { kvstore: certs.kvstore, orch, orchaggregator, orchserviceaccount: { key }, os: certs.os },
  };
}

/** The form of every token that joins something: six and sixteen of these. */
export const tokenForm: RegExp = /^[a-z0-9]{6}\.[a-z0-9]{16}$/u;

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

function joinToken(): string {
  const word = (length: number): string =>
    Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
  return `${word(6)}.${word(16)}`;
}

function base64(bytes: number): string {
  return randomBytes(bytes).toString('base64');
}

async function tokenKey(contract: Contract): Promise<string> {
  const { privateKey } = has(contract, 'rsaTokens')
    ? await generate('rsa', { modulusLength: 4096 })
    : await generate('ec', { namedCurve: 'P-256' });
  using pem = Secret.take(Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })));
  return pem.bytes.toString('base64');
}

async function stored(made: Promise<pki.Identity>): Promise<StoredAuthority> {
  const { crt, key } = await made;
  using secret = key;
  return { crt: Buffer.from(crt).toString('base64'), key: secret.bytes.toString('base64') };
}
