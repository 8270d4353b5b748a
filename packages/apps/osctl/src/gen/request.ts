import { isIP } from 'node:net';
import { basename } from 'node:path';

import { readNamed, readNamedText, UsageError } from '@nodecore/cli';
import * as pki from '@nodecore/pki';
import { Secret } from '@nodecore/sys';

import { writeFiles, type WriteOptions } from './files.ts';

export type RequestOptions = WriteOptions & {
  readonly key: string;
  readonly ip: string;
  readonly roles: readonly string[];
};

/** `<base name of the key>.csr`, with the roles as organizations. */
export async function genCSR(options: RequestOptions): Promise<void> {
  if (isIP(options.ip) === 0) throw new UsageError(`--ip ${options.ip} is no IP address`);
  using key = Secret.take(await readNamed(options.key, '--key'));
  const csr = await pki.createCSR(key, { roles: options.roles, names: [options.ip] });
  await writeFiles([{ path: `${basename(options.key, '.key')}.csr`, content: csr, secret: false }], options);
}

export type CertificateOptions = WriteOptions & {
  readonly name: string;
  readonly ca: string;
  readonly csr: string;
  readonly lifetimeMs: number;
};

/** `<name>.crt`: a request signed by the authority in `<ca>.crt` and `<ca>.key`, for a client. */
export async function genCrt(options: CertificateOptions): Promise<void> {
  const base = options.ca.replace(/\.(?:crt|key)$/u, '');
  const crt = await readNamedText(`${base}.crt`, '--ca');
  using key = Secret.take(await readNamed(`${base}.key`, '--ca'));
  const csr = await readNamedText(options.csr, '--csr');
  const signed = await pki.signCSR({ crt, key }, csr, { lifetimeMs: options.lifetimeMs });
  await writeFiles([{ path: `${options.name}.crt`, content: signed, secret: false }], options);
}
