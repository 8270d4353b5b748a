import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';

import { codeOf, FileWatch } from '@nodecore/sys';

import { wrong } from '../settings.ts';

/** Files in PEM: the certificate with those between it and an authority, and its private key. */
export type CertificatePaths = { readonly certFile: string; readonly keyFile: string };

type Certificate = { readonly cert: Buffer; readonly key: Buffer; readonly endsAt: number };

/** How often files are read again although nobody said that they have changed: some filesystems never say so. */
const rereadMs = 30_000;

/**
 * A certificate and its key, read again when they change: a renewal needs no restart. What does not belong together, as between the
 * renewals of two files, leaves what was there.
 */
export class CertificateFiles implements Disposable {
  readonly #paths: CertificatePaths;
  readonly #warn: (line: string) => void;
  #current: Certificate;
  #server: Server | undefined;
  #warned = '';
  #watch: FileWatch | undefined;
  #timer: NodeJS.Timeout | undefined;

  private constructor(paths: CertificatePaths, current: Certificate, warn: (line: string) => void) {
    this.#paths = paths;
    this.#current = current;
    this.#warn = warn;
  }

  /** @throws {FactoryError} with `ERR_FACTORY_SETUP`, naming the key of the configuration. */
  static async open(paths: CertificatePaths, warn: (line: string) => void): Promise<CertificateFiles> {
    const files = new CertificateFiles(paths, await read(paths), warn);
    const again = (): void => void files.reload();
    files.#watch = new FileWatch([paths.certFile, paths.keyFile], again, () => {}); // the timer sees what the watch can't
    files.#timer = setInterval(again, rereadMs).unref();
    await files.reload();
    return files;
  }

  get current(): Pick<Certificate, 'cert' | 'key'> {
    const { cert, key } = this.#current;
    return { cert, key };
  }

  /** From now on, new connections to the server have what is in the files. */
  serve(server: Server): void {
    this.#server = server;
  }

  async reload(): Promise<void> {
    const line = await this.#take().catch(
      (error: unknown) =>
        `the certificate stays as it was: ${error instanceof Error ? error.message : 'can not be read'}`,
    );
    if (line !== this.#warned && line !== '') this.#warn(line);
    this.#warned = line;
  }

  /** @returns what clients will say of it; empty for nothing. */
  async #take(): Promise<string> {
    const found = await read(this.#paths);
    if (!found.cert.equals(this.#current.cert) || !found.key.equals(this.#current.key)) {
      this.#server?.setSecureContext({ cert: found.cert, key: found.key });
      this.#current = found;
    }
    const { endsAt } = found;
    // It is used all the same: the clock here may be the one that is wrong.
    return endsAt > Date.now()
      ? ''
      : `http.certFile: ${this.#paths.certFile}: has expired at ${new Date(endsAt).toISOString()}`;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#watch?.[Symbol.dispose]();
  }
}

async function read({ certFile, keyFile }: CertificatePaths): Promise<Certificate> {
  const [cert, key] = await Promise.all([bytesOf('certFile', certFile), bytesOf('keyFile', keyFile)]);
  const certificate = parsed('certFile', certFile, () => new X509Certificate(cert));
  if (/^(?:-----BEGIN |Proc-Type: .*)ENCRYPTED/m.test(key.toString('latin1')))
    throw wrong(`http.keyFile: ${keyFile}: has a passphrase: give it without`);
  const privateKey = parsed('keyFile', keyFile, () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey))
    throw wrong(`http.keyFile: ${keyFile}: is not the key of ${certFile}`);
  // What the parser above does not look at: the certificates behind the first one, and how strong they are.
  const { createSecureContext } = await import('node:tls'); // only who uses it waits for it
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw wrong(`http.certFile: ${certFile}: TLS does not take it: ${codeOf(error) ?? 'no reason given'}`);
  }
  return { cert, key, endsAt: Date.parse(certificate.validTo) };
}

async function bytesOf(name: string, path: string): Promise<Buffer> {
  return await readFile(path).catch((error: unknown) => {
    throw wrong(`http.${name}: ${path}: ${codeOf(error) ?? 'can not be read'}`);
  });
}

/** What a parser says of a key is nobody's business. */
function parsed<T>(name: string, path: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw wrong(`http.${name}: ${path}: is none in PEM`);
  }
}
