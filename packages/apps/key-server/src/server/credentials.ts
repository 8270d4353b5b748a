import { constants, createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:tls';

import { codeOf, Secret } from '@nodecore/sys';

import { KeyServerError } from '../errors.ts';

/** Where the server's TLS material is. All PEM; read again when a file changes. */
export type TlsFiles = {
  /** With what it is signed by after it. */
  readonly certificate: string;
  readonly key: string;
  /** Authorities of the nodes' certificates; undefined: any client may call, and node UUIDs are not proven. */
  readonly clientAuthorities: string | undefined;
};

/** A TLS server that does not listen: connections are handed to it with `emit('connection', socket)`. */
export type Credentials = {
  readonly tls: Server;
  readonly notAfterMs: number;
  /** Of all files together, to see a change. */
  readonly digest: string;
  /** Of the clients' authorities alone. */
  readonly authorities: string;
};

/** @throws {KeyServerError} `ERR_KMS_SETUP` when they can't be served. */
export async function readCredentials(files: TlsFiles): Promise<Credentials> {
  using cert = await read(files.certificate);
  using key = await read(files.key);
  using ca = files.clientAuthorities === undefined ? undefined : await read(files.clientAuthorities);
  const certificate = certificateIn(cert, files.certificate);
  if (ca !== undefined && files.clientAuthorities !== undefined) certificateIn(ca, files.clientAuthorities);
  try {
    return {
      tls: serverOf(cert, key, ca),
      notAfterMs: certificate.validToDate.getTime(),
      digest: digestOf(cert, key, ca),
      authorities: digestOf(ca),
    };
  } catch (error) {
    const reason = error instanceof Error && 'reason' in error ? String(error.reason) : 'unusable';
    throw new KeyServerError('ERR_KMS_SETUP', `${files.certificate} and ${files.key}: ${reason}`);
  }
}

/** OpenSSL has copies of the bytes when this returns. */
function serverOf(cert: Secret, key: Secret, ca: Secret | undefined): Server {
  return createServer({
    cert: cert.bytes,
    key: key.bytes,
    minVersion: 'TLSv1.2',
    // A resumed session would skip the look at the client's certificate.
    secureOptions: constants.SSL_OP_NO_TICKET,
    ALPNProtocols: ['h2'],
    handshakeTimeout: 5_000,
    ...(ca === undefined ? {} : { ca: ca.bytes, requestCert: true, rejectUnauthorized: true }),
  });
}

function digestOf(...parts: readonly (Secret | undefined)[]): string {
  const hash = createHash('sha256');
  for (const part of parts)
    hash.update(
      createHash('sha256')
        .update(part?.bytes ?? '')
        .digest(),
    );
  return hash.digest('hex');
}

function certificateIn(pem: Secret, path: string): X509Certificate {
  try {
    return new X509Certificate(pem.bytes);
  } catch {
    throw new KeyServerError('ERR_KMS_SETUP', `${path}: no certificate in PEM form`);
  }
}

async function read(path: string): Promise<Secret> {
  try {
    return Secret.take(await readFile(path));
  } catch (error) {
    throw new KeyServerError('ERR_KMS_SETUP', `${path}: ${codeOf(error)}`, { cause: error });
  }
}
