import { type Address, parseAddress } from './address.ts';
import { externalUrlOf } from './external-url.ts';
import { parsePostgresUrl, type PostgresOptions } from './postgres/postgres-options.ts';
import { type Settings, wrong } from './settings.ts';

/** Where a factory reads, writes and answers. */
export type ServerSettings = {
  /** Directory with one release in each of its directories. */
  readonly releases?: string;
  /** Public keys in PEM, one of which has signed each release; none for the one beside the releases. */
  readonly releaseKeys?: readonly string[];
  readonly listen?: Address;
  readonly externalUrl?: string;
  readonly storage?: string;
  readonly postgres?: PostgresOptions;
  readonly secureBootKeys?: string;
  readonly installerSigningKey?: string;
};

/** The keys of {@link readServer}. */
export const serverKeys = [
  'artifacts.directory',
  'containerSignature.publicKeyFile',
  'http.externalURL',
  'http.httpListenAddr',
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
  const releaseKeys = settings.files('containerSignature.publicKeyFile');
  const listen = readAddress(settings, 'http.httpListenAddr');
  const externalUrl = readUrl(settings);
  const storage = settings.file('storage.directory', 'a directory');
  const postgres = readPostgres(settings);
  const secureBootKeys = settings.file('secureBoot.directory', 'a directory');
  const installerSigningKey = settings.file('installer.signingKeyPath');
  return {
    ...(releases !== undefined && { releases }),
    ...(releaseKeys.length > 0 && { releaseKeys }),
    ...(listen && { listen }),
    ...(externalUrl !== undefined && { externalUrl }),
    ...(storage !== undefined && { storage }),
    ...(postgres && { postgres }),
    ...(secureBootKeys !== undefined && { secureBootKeys }),
    ...(installerSigningKey !== undefined && { installerSigningKey }),
  };
}

/** `:2122` is that port of all addresses. */
export function readAddress(settings: Settings, name: string): Address | undefined {
  const { value, place = '' } = settings.at(name) ?? {};
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value : '';
  const address = parseAddress(text.startsWith(':') ? `[::]${text}` : text);
  if (address !== undefined) return address;
  throw wrong(`${place}: must be an address and a port, as 127.0.0.1:2122`);
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

function readUrl(settings: Settings): string | undefined {
  const { value, place = '' } = settings.at('http.externalURL') ?? {};
  if (value === undefined) return undefined;
  const found = typeof value === 'string' ? externalUrlOf(value) : undefined;
  if (found !== undefined) return found;
  throw wrong(`${place}: must be a URL as https://factory.example.com`);
}
