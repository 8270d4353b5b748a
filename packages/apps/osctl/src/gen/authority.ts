import { isIP } from 'node:net';

import { UsageError } from '@nodecore/cli';
import * as pki from '@nodecore/pki';

import { writeFiles, type OutputFile, type WriteOptions } from './files.ts';

export type AuthorityOptions = WriteOptions & { readonly organization: string; readonly lifetimeMs?: number };

/** `<organization>.crt`, `.key`, and `.sha256` with the fingerprint that tells it from others of its name. */
export async function genCA(options: AuthorityOptions): Promise<void> {
  const ca = await pki.createCA(options.organization, lifetimeOf(options));
  using key = ca.key;
  const base = fileBase(options.organization);
  const files: OutputFile[] = [
    { path: `${base}.crt`, content: ca.crt, secret: false },
    { path: `${base}.sha256`, content: `${pki.fingerprint(ca.crt)}\n`, secret: false },
    { path: `${base}.key`, content: key, secret: true },
  ];
  await writeFiles(files, options);
}

/** A self-signed pair that names an address. */
export async function genKeypair(options: AuthorityOptions & { readonly ip?: string }): Promise<void> {
  if (options.ip !== undefined && isIP(options.ip) === 0) throw new UsageError(`--ip ${options.ip} is no IP address`);
  const names = options.ip === undefined ? [] : [options.ip];
  const pair = await pki.createCA(options.organization, { ...lifetimeOf(options), names });
  using key = pair.key;
  const base = fileBase(options.organization);
  const files: OutputFile[] = [
    { path: `${base}.crt`, content: pair.crt, secret: false },
    { path: `${base}.key`, content: key, secret: true },
  ];
  await writeFiles(files, options);
}

function lifetimeOf({ lifetimeMs }: AuthorityOptions): { lifetimeMs?: number } {
  return lifetimeMs === undefined ? {} : { lifetimeMs };
}

/** The organization names the files, so it must not name a directory. */
function fileBase(organization: string): string {
  if (/^[^/\0]+$/u.test(organization) && !/^\.+$/u.test(organization)) return organization;
  throw new UsageError('--organization names the files: it must not be empty or hold a slash');
}
