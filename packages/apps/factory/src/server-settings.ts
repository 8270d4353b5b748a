import { type Address, parseAddress } from './address.ts';
import { externalUrlOf } from './external-url.ts';
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
] as const;

/** @throws {FactoryError} with `ERR_FACTORY_SETUP`, naming the key and where it is. */
export function readServer(settings: Settings): ServerSettings {
  const releases = settings.file('artifacts.directory', 'a directory');
  const releaseKeys = settings.files('containerSignature.publicKeyFile');
  const listen = readAddress(settings, 'http.httpListenAddr');
  const externalUrl = readUrl(settings);
  const storage = settings.file('storage.directory', 'a directory');
  const secureBootKeys = settings.file('secureBoot.directory', 'a directory');
  const installerSigningKey = settings.file('installer.signingKeyPath');
  return {
    ...(releases !== undefined && { releases }),
    ...(releaseKeys.length > 0 && { releaseKeys }),
    ...(listen && { listen }),
    ...(externalUrl !== undefined && { externalUrl }),
    ...(storage !== undefined && { storage }),
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

function readUrl(settings: Settings): string | undefined {
  const { value, place = '' } = settings.at('http.externalURL') ?? {};
  if (value === undefined) return undefined;
  const found = typeof value === 'string' ? externalUrlOf(value) : undefined;
  if (found !== undefined) return found;
  throw wrong(`${place}: must be a URL as https://factory.example.com`);
}
