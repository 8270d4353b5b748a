import { codeOf } from '@nodecore/sys';

import { isCertificateCode } from '../authorities.ts';
import { FactoryError } from '../errors.ts';
import { wrong } from '../settings.ts';
import type { PostgresAddress, PostgresOptions } from './postgres-options.ts';

/** disk_full of https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const full = '53100';

/** A class and its number, as the server says it; undefined for what did not come from there. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = codeOf(error);
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Whether the connection is to blame, or the server's going: nothing is known of what was asked. */
export function isLost(error: unknown): boolean {
  if (error instanceof FactoryError) return false;
  const state = sqlStateOf(error);
  return state === undefined || /^(?:08|57P0[123])/.test(state);
}

/**
 * An error as one of a store. What the server says of it is left behind: it may have the row in it, and that a join token.
 *
 * @param what is kept there, as `schematic`.
 * @param noRoom what is said of a full disk; that there is no room for another one, unless given.
 */
export function storeError(
  what: string,
  error: unknown,
  noRoom: string = `no room for another ${what}`,
): FactoryError {
  if (error instanceof FactoryError) return error;
  const state = sqlStateOf(error);
  if (state === full) return new FactoryError('ERR_FACTORY_STORE_FULL', noRoom);
  const why = state === undefined ? (codeOf(error) ?? 'the connection was lost') : `SQLSTATE ${state}`;
  return new FactoryError('ERR_FACTORY_STORE', `the store of ${what}s fails: ${why}`);
}

/** Where a server is, for people. */
export function placeOf({ host, port }: PostgresAddress): string {
  return host.startsWith('/') ? host : `${host}:${port}`;
}

/** Why a factory can't begin with a database, naming the key that is to be changed. */
export function setupError(error: unknown, options: PostgresOptions, address: PostgresAddress): FactoryError {
  if (error instanceof FactoryError) return error;
  const { user, database } = address;
  const url = 'storage.postgres.url';
  const at = placeOf(address);
  const state = sqlStateOf(error);
  const reason = codeOf(error);
  const passwordKey = options.passwordPath === undefined ? url : 'storage.postgres.passwordPath';
  switch (state) {
    case '28P01':
      return wrong(`${passwordKey}: ${at} does not take the password of ${user}`);
    case '28000':
      return wrong(`${url}: ${at} does not let ${user} into ${database}`);
    case '3D000':
      return wrong(`${url}: ${at} has no database ${database}`);
    case '42501':
    case '3F000':
      return wrong(`${url}: ${user} may not make tables in ${database}`);
    case '25006':
      return wrong(`${url}: ${at} is a copy that can only be read`);
    case undefined:
      break;
    default:
      return wrong(`${url}: ${at}: SQLSTATE ${state}`);
  }
  if (reason !== undefined && isCertificateCode(reason))
    return wrong(`storage.postgres.caPath: the certificate of ${at} is not to be believed: ${reason}`);
  return wrong(`${url}: ${at}: ${reason ?? 'is no PostgreSQL, or does not speak TLS'}`);
}
