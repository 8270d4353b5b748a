import { readFile } from 'node:fs/promises';
import type { ConnectionOptions } from 'node:tls';

import { codeOf } from '@nodecore/sys';

import { readAuthorities } from '../authorities.ts';
import { wrong } from '../settings.ts';

/** Where records are that several factories share. */
export type PostgresOptions = {
  /** `postgresql://user@host[:5432]/database`, or a directory in place of the host, as `%2Frun%2Fpostgresql`. */
  readonly url: string;
  /** File with the password; read for each connection, so that a new one counts without a restart. */
  readonly passwordPath?: string;
  /** Authorities of the server in PEM, in place of those of the system. */
  readonly caPath?: string;
};

/** What a URL says. */
export type PostgresAddress = {
  /** A name, an address, or the directory of a socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Undefined when it is in a file, or there is none. */
  readonly password: string | undefined;
  /** What `sslmode` says; undefined for nothing. */
  readonly sslmode: string | undefined;
};

/** @returns undefined for what is no URL of a database with a user. */
export function parsePostgresUrl(text: string): PostgresAddress | undefined {
  if (!/^postgres(?:ql)?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  const { hostname, port, username, password, pathname, searchParams } = new URL(text);
  try {
    const [host, user, database] = [hostname.replace(/^\[|\]$/g, ''), username, pathname.slice(1)].map(
      (part) => decodeURIComponent(part),
    ) as [string, string, string];
    const hasOthers = [...searchParams.keys()].some((name) => name !== 'sslmode');
    if (host === '' || user === '' || database === '' || hasOthers) return undefined;
    return {
      host,
      port: port === '' ? 5432 : Number(port),
      user,
      database,
      password: password === '' ? undefined : decodeURIComponent(password),
      sslmode: searchParams.get('sslmode') ?? undefined,
    };
  } catch {
    return undefined;
  }
}

/**
 * How the server proves who it is: by a certificate for its name, except on this machine or where nobody wants it.
 *
 * @throws {FactoryError} with `ERR_FACTORY_SETUP`.
 */
export async function tlsOf(
  { host, sslmode }: PostgresAddress,
  caPath: string | undefined,
): Promise<ConnectionOptions | false> {
  if (host.startsWith('/') || sslmode === 'disable') return false;
  const isNear = host === 'localhost' || host === '::1' || /^127(?:\.\d+){3}$/.test(host);
  if (isNear && sslmode === undefined && caPath === undefined) return false;
  if (caPath === undefined) return { rejectUnauthorized: true };
  const ca = await readAuthorities('storage.postgres.caPath', caPath);
  return { ca, rejectUnauthorized: true };
}

/**
 * The password, without the end of its line.
 *
 * @throws {FactoryError} with `ERR_FACTORY_SETUP`.
 */
export async function readPassword(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw wrong(`storage.postgres.passwordPath: ${path}: ${codeOf(error) ?? 'can not be read'}`);
  });
  try {
    return bytes.toString().replace(/\r?\n$/, '');
  } finally {
    bytes.fill(0);
  }
}
