import { type Address, parseAddress } from './address.ts';
import { externalUrlOf } from './external-url.ts';
import { isOrigin } from './http/allowed-origins.ts';
import type { CertificatePaths } from './http/certificate-files.ts';
import { isNetwork } from './http/trusted-proxies.ts';
import { type Settings, wrong } from './settings.ts';

/** Where a factory answers, and how. */
export type HttpSettings = {
  readonly listen?: Address;
  /** Where clients reach it; it is in every image. */
  readonly externalUrl?: string;
  readonly tls?: CertificatePaths;
  readonly externalPxeUrl?: string;
  readonly allowedOrigins?: readonly string[];
  /** Addresses and networks of proxies that are believed when they say who asks. */
  readonly trustedProxies?: readonly string[];
};

/** The keys of {@link readHttp}. */
export const httpKeys = [
  'http.allowedOrigins',
  'http.certFile',
  'http.externalPXEURL',
  'http.externalURL',
  'http.httpListenAddr',
  'http.keyFile',
  'http.trustedProxies',
] as const;

/** @throws {FactoryError} with `ERR_FACTORY_SETUP`, naming the key and where it is. */
export function readHttp(settings: Settings): HttpSettings {
  const listen = readAddress(settings, 'http.httpListenAddr');
  const externalUrl = readUrl(settings, 'http.externalURL');
  const externalPxeUrl = readUrl(settings, 'http.externalPXEURL');
  const tls = readCertificate(settings);
  const allowedOrigins = readList(settings, 'http.allowedOrigins', isOrigin, {
    what: 'origins',
    none: 'is no origin as https://example.com, and not *',
  });
  const trustedProxies = readList(settings, 'http.trustedProxies', isNetwork, {
    what: 'networks',
    none: 'is no address, and no network as 10.0.0.0/8',
  });
  return {
    ...(listen && { listen }),
    ...(externalUrl !== undefined && { externalUrl }),
    ...(externalPxeUrl !== undefined && { externalPxeUrl }),
    ...(tls && { tls }),
    ...(settings.at('http.allowedOrigins') !== undefined && { allowedOrigins }),
    ...(trustedProxies.length > 0 && { trustedProxies }),
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

function readUrl(settings: Settings, name: string): string | undefined {
  const { value, place = '' } = settings.at(name) ?? {};
  if (value === undefined) return undefined;
  const found = typeof value === 'string' ? externalUrlOf(value) : undefined;
  if (found !== undefined) return found;
  throw wrong(`${place}: must be a URL as https://factory.example.com`);
}

function readCertificate(settings: Settings): CertificatePaths | undefined {
  const certFile = settings.file('http.certFile');
  const keyFile = settings.file('http.keyFile');
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile };
  if (certFile !== undefined) throw wrong('http.keyFile: http.certFile needs it');
  if (keyFile !== undefined) throw wrong('http.certFile: http.keyFile needs it');
  return undefined;
}

function readList(
  settings: Settings,
  name: string,
  isOne: (text: string) => boolean,
  { what, none }: { readonly what: string; readonly none: string },
): readonly string[] {
  const all = settings.files(name, what);
  const wrongOne = all.find((text) => !isOne(text));
  if (wrongOne === undefined) return all;
  throw wrong(`${settings.at(name)?.place ?? name}: ${wrongOne} ${none}`);
}
