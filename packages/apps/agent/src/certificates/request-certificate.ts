import { createPrivateKey } from 'node:crypto';

import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import { CertificateTerms, type CertificateResponse, SecurityService } from '@nodecore/api/security';
import { createCSR, generateKey, readCertificate } from '@nodecore/pki';
import type { Secret } from '@nodecore/sys';
import { onAbort } from '@nodecore/waiting';

import { SigningError } from '../signing/errors.ts';
import { knownAddresses, signerName } from '../signing/names.ts';
import { proofOf } from '../signing/proof.ts';
import type { KeptCertificate } from './kept-certificate.ts';

/** A control plane that is busy answers by then. */
const patienceMs = 20_000;

export type CertificateWish = {
  /** A name that has several addresses stands for several control planes: they are tried in turn. IPv6 in brackets. */
  readonly host: string;
  readonly port: number;
  readonly token: Secret;
  /** PEM of whom the control plane has to be of. */
  readonly authorities: readonly string[];
  readonly names: readonly string[];
  /** Empty: the machine has none. */
  readonly uuid: string;
  /** Of before, so that the node stays who it was; not taken over. */
  readonly key: Secret | undefined;
  readonly nowMs: number;
};

export type SignedCertificate = KeptCertificate & { readonly withheld: CertificateResponse['withheld'] };

/**
 * Has a certificate signed by a control plane. The caller disposes the key.
 *
 * @throws {SigningError} `ERR_SIGNING_ANSWER` with what the network, TLS or the control plane says.
 */
export async function requestCertificate(
  wish: CertificateWish,
  signal: AbortSignal,
): Promise<SignedCertificate> {
  const key = wish.key?.clone() ?? (await generateKey());
  try {
    const { names, uuid } = wish;
    const terms = Buffer.from(CertificateTerms.encode({ csr: await createCSR(key), names, uuid }));
    const answer = await call(wish, { terms, proof: proofOf(wish.token, terms) }, signal);
    const { serverCertificate: server, nodeCertificate, withheld } = answer;
    const controlPlanes = knownAddresses(answer.controlPlanes);
    check(server, key, wish);
    if (nodeCertificate !== '') check(nodeCertificate, key, wish);
    const node = nodeCertificate === '' ? undefined : nodeCertificate;
    return { server, node, key, controlPlanes, withheld };
  } catch (error) {
    key[Symbol.dispose]();
    throw error;
  }
}

async function call(
  { host, port, authorities }: CertificateWish,
  request: { readonly terms: Buffer; readonly proof: Buffer },
  signal: AbortSignal,
): Promise<CertificateResponse> {
  signal.throwIfAborted();
  const { path, requestSerialize, responseDeserialize } = SecurityService.certificate;
  const client = new Client(
    `dns:///${host}:${port}`,
    credentials.createSsl(Buffer.from(authorities.join('\n'))),
    {
      'grpc.ssl_target_name_override': signerName,
      'grpc.default_authority': signerName,
      'grpc.max_receive_message_length': 256 << 10,
      'grpc.enable_http_proxy': 0,
      'grpc.enable_retries': 0,
    },
  );
  try {
    const { promise, resolve, reject } = Promise.withResolvers<CertificateResponse>();
    const unary = client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      { deadline: Date.now() + patienceMs },
      (error: ServiceError | null, answer?: CertificateResponse) =>
        error === null && answer !== undefined ? resolve(answer) : reject(error),
    );
    using _listener = onAbort(signal, () => unary.cancel());
    return await promise;
  } catch (error) {
    signal.throwIfAborted();
    const details = error instanceof Error && 'details' in error ? String(error.details) : 'no answer';
    throw new SigningError('ERR_SIGNING_ANSWER', `control plane ${host}:${port}: ${details}`);
  } finally {
    client.close();
  }
}

/** What came has to be for our key, by one of our authorities, and valid now. */
function check(crt: string, key: Secret, { host, port, authorities, nowMs }: CertificateWish): void {
  const refuse = (why: string): never => {
    throw new SigningError('ERR_SIGNING_ANSWER', `control plane ${host}:${port}: the certificate ${why}`);
  };
  const certificate = readCertificate(crt);
  if (!certificate.checkPrivateKey(createPrivateKey(key.bytes))) refuse('is for another key');
  if (!authorities.some((authority) => isIssuedBy(crt, authority))) refuse('is of another authority');
  if (nowMs < certificate.validFromDate.getTime())
    refuse(`begins on ${certificate.validFromDate.toISOString()}: the clocks of the two differ`);
  if (nowMs >= certificate.validToDate.getTime())
    refuse(`ended on ${certificate.validToDate.toISOString()}: the clocks of the two differ`);
}

/** Whether the authority has signed the certificate; PEM, both. */
export function isIssuedBy(crt: string, authority: string): boolean {
  const [certificate, issuer] = [readCertificate(crt), readCertificate(authority)];
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}
