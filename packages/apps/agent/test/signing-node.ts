import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';

import { CertificateTerms, type CertificateTermsInit } from '@nodecore/api/security';
import { type Configuration, parse } from '@nodecore/config';
import * as pki from '@nodecore/pki';
import { Secret } from '@nodecore/sys';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';

import { type Authority, machineToken } from './documents.ts';
import { Certificates, type CertificatesParts } from '../src/certificates/certificates.ts';
import { CertificateFile } from '../src/certificates/kept-certificate.ts';
import { requestCertificate } from '../src/certificates/request-certificate.ts';
import { NodeIdentity } from '../src/keys/node-identity.ts';
import type { Limits } from '../src/server/limits.ts';
import { proofOf } from '../src/signing/proof.ts';
import { Signer, type SignerParts } from '../src/signing/signer.ts';
import { SigningServer } from '../src/signing/signing-server.ts';

export const token = machineToken;
export const uuid = '6a1ba0d8-0b0c-4ed4-b4a2-8f1a5d5b3b6e';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

export type WorkerOptions = {
  readonly machineToken?: string;
  readonly accepted?: readonly Authority[];
  readonly endpoint?: string;
};

/** The configuration of a worker. */
export function workerText(
  ca: Authority,
  { machineToken = token, accepted = [], endpoint = 'https://127.0.0.1:6443' }: WorkerOptions = {},
): string {
  return JSON.stringify({
    version: 'v1alpha1',
    machine: {
      type: 'worker',
      token: machineToken,
      ca: { crt: base64(ca.crt) },
      acceptedCAs: accepted.map(({ crt }) => ({ crt: base64(crt) })),
    },
    cluster: { controlPlane: { endpoint } },
  });
}

export function workerConfiguration(ca: Authority, options: WorkerOptions = {}): Configuration {
  return parse(workerText(ca, options));
}

export type ControlPlaneOptions = Partial<Pick<SignerParts, 'controlPlanes' | 'signers' | 'rates'>> & {
  readonly clock?: FakeClock;
  readonly limits?: Limits;
  readonly port?: number;
};

/** A control plane as far as it signs, on loopback. */
export async function controlPlane(t: ExecutionContext, ca: Authority, options: ControlPlaneOptions = {}) {
  const {
    clock = new FakeClock(Date.now()),
    controlPlanes = async () => ['10.0.0.1'],
    signers = () => [],
    rates,
    limits,
    port = 0,
  } = options;
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const authority = { ca, token: Secret.take(Buffer.from(token)) };
  const signer = new Signer({
    authority: () => authority,
    controlPlanes,
    signers,
    clock,
    ...(rates && { rates }),
  });
  const server = new SigningServer({ log, clock, audit: undefined, signer, ...(limits && { limits }) });
  await server.show(authority);
  const address = await server.listen({ host: '127.0.0.1', port });
  t.teardown(() => server[Symbol.asyncDispose]());
  return { signer, server, port: address.port, lines, authority, clock };
}

/** What a worker with this token asks for. */
export async function request(
  terms: CertificateTermsInit,
  secret = token,
): Promise<{ readonly terms: Buffer; readonly proof: Buffer }> {
  using key = Secret.take(Buffer.from(secret));
  const bytes = Buffer.from(CertificateTerms.encode(terms));
  return { terms: bytes, proof: proofOf(key, bytes) };
}

/** A request as workers make it. */
export async function bareCsr(): Promise<string> {
  using key = await pki.generateKey();
  return await pki.createCSR(key);
}

/** A worker as far as it has certificates. */
export async function worker(
  t: ExecutionContext,
  {
    port,
    names = ['10.0.0.7', 'worker'],
    clock = new FakeClock(Date.now()),
    path,
    ask = requestCertificate,
  }: {
    readonly port: number;
    readonly names?: readonly string[];
    readonly clock?: FakeClock;
    readonly path?: string;
    readonly ask?: CertificatesParts['request'];
  },
) {
  const file = path ?? join(await temporaryDirectory(t), 'certificate.pem');
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const shown: { readonly crt: string; readonly clientAuthorities: readonly string[] | undefined }[] = [];
  const identity = new NodeIdentity();
  const certificates = new Certificates({
    server: { use: ({ crt, clientAuthorities }) => shown.push({ crt, clientAuthorities }) },
    identity,
    machineUuid: () => uuid,
    clock,
    log,
    file: new CertificateFile({ locate: async () => file, log }),
    request: ask,
    port,
    names: () => names,
    random: () => 0.5,
  });
  t.teardown(() => certificates[Symbol.dispose]());
  return {
    certificates,
    identity,
    clock,
    lines,
    file,
    shown: () => new X509Certificate(shown.at(-1)?.crt ?? ''),
    clients: () => shown.at(-1)?.clientAuthorities,
    renew: () => certificates.renew(new AbortController().signal),
  };
}
