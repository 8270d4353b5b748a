import { type HttpSettings, readHttp } from './http-settings.ts';
import { parsePostgresUrl, type PostgresOptions } from './postgres/postgres-options.ts';
import { type Settings, wrong } from './settings.ts';
import { readSeconds } from './tokens/lifetime.ts';

/** Where a factory reads, writes and answers. */
export type ServerSettings = HttpSettings & {
  /** Directory with one release in each of its directories. */
  readonly releases?: string;
  /** How often they are looked for; 0 for never. */
  readonly releaseRefreshMs?: number;
  /** Public keys in PEM, one of which has signed each release; none for the one beside the releases. */
  readonly releaseKeys?: readonly string[];
  readonly storage?: string;
  readonly postgres?: PostgresOptions;
  readonly secureBootKeys?: string;
  readonly installerSigningKey?: string;
};

/** The keys of {@link readServer}. */
export const serverKeys = [
  'artifacts.directory',
  'artifacts.refreshInterval',
  'containerSignature.publicKeyFile',
  'installer.signingKeyPath',
  'secureBoot.directory',
  'storage.directory',
  'storage.postgres.caPath',
  'storage.postgres.passwordPath',
  'storage.postgres.url',
] as const;

/** @throws {FactoryError} with `ERR_FACTORY_SETUP`, naming the key and where it is. */
export function readServer(settings: Settings): ServerSettings {
  const releases = settings.file('artifacts.directory', 'a directory');
  const releaseRefreshMs = readInterval(settings, 'artifacts.refreshInterval');
  const releaseKeys = settings.files('containerSignature.publicKeyFile');
  const storage = settings.file('storage.directory', 'a directory');
  const postgres = readPostgres(settings);
  const secureBootKeys = settings.file('secureBoot.directory', 'a directory');
  const installerSigningKey = settings.file('installer.signingKeyPath');
  return {
    ...(releases !== undefined && { releases }),
    ...(releaseRefreshMs !== undefined && { releaseRefreshMs }),
    ...(releaseKeys.length > 0 && { releaseKeys }),
    ...readHttp(settings),
    ...(storage !== undefined && { storage }),
    ...(postgres && { postgres }),
    ...(secureBootKeys !== undefined && { secureBootKeys }),
    ...(installerSigningKey !== undefined && { installerSigningKey }),
  };
}

/** Milliseconds; none are never. Timers know no longer time than 24 days. */
function readInterval(settings: Settings, name: string): number | undefined {
  const { value, place = name } = settings.at(name) ?? {};
  if (value === undefined) return undefined;
  if (value === 0 || value === '0' || value === '0s') return 0;
  const seconds = typeof value === 'string' ? readSeconds(value) : undefined;
  if (seconds !== undefined && seconds >= 1 && seconds <= 24 * 86_400) return seconds * 1_000;
  throw wrong(`${place}: must be a duration as 5m, from 1s to 576h, or 0`);
}

function readPostgres(settings: Settings): PostgresOptions | undefined {
  const name = 'storage.postgres.url';
  const url = settings.file(name, 'a URL');
  const passwordPath = settings.file('storage.postgres.passwordPath');
  const caPath = settings.file('storage.postgres.caPath');
  const other = passwordPath === undefined ? 'caPath' : 'passwordPath';
  if (url === undefined && (passwordPath ?? caPath) !== undefined)
    throw wrong(`${name}: storage.postgres.${other} needs it`);
  if (url === undefined) return undefined;
  const place = settings.at(name)?.place ?? name;
  const address = parsePostgresUrl(url);
  // It is not repeated: it may have a password in it.
  if (address === undefined) throw wrong(`${place}: must be as postgresql://user@host/database`);
  if (!['disable', 'verify-full', undefined].includes(address.sslmode))
    throw wrong(`${place}: sslmode is verify-full, or disable: nothing between is safe`);
  if (address.password !== undefined && passwordPath !== undefined)
    throw wrong(`${place}: has a password, and storage.postgres.passwordPath another one`);
  return {
    url,
    ...(passwordPath !== undefined && { passwordPath }),
    ...(caPath !== undefined && { caPath }),
  };
}
