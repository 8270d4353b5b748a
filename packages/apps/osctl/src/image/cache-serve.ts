import { networkInterfaces } from 'node:os';

import { print, readNamed, type Terminal, UsageError, wordsOfErrno } from '@nodecore/cli';
import { type CacheServer, type CacheServerOptions, serveCache } from '@nodecore/clusters/image-cache';
import { codeOf } from '@nodecore/sys/pure';
import { aborted } from '@nodecore/waiting';
import { stringify } from 'yaml';

import { one } from '../gen/document.ts';
import { writeFiles } from '../gen/files.ts';
import { isCache } from './cache-place.ts';

export type CacheServeFlags = {
  readonly imageCachePath: string;
  readonly address: { readonly host: string; readonly port: number };
  readonly mirror?: readonly string[];
  readonly tlsCertFile?: string;
  readonly tlsKeyFile?: string;
  readonly patchFile: string;
};

/** Where most images of a cluster come from. */
const usualMirrors = ['docker.io', 'ghcr.io', 'registry.k8s.io'];

/** Serves a cache until the user ends it, and writes the documents that have nodes use it. */
export async function serveImageCache(flags: CacheServeFlags, terminal: Terminal): Promise<void> {
  const { imageCachePath: cache, address, mirror = usualMirrors, tlsCertFile, tlsKeyFile } = flags;
  if ((tlsCertFile === undefined) !== (tlsKeyFile === undefined))
    throw new UsageError('--tls-cert-file and --tls-key-file go together: give both, or neither');
  if (!(await isCache(cache)))
    throw new UsageError(
      `${cache} is no image cache: it has no manifests; make one with osctl image cache-create`,
    );
  const tls =
    tlsCertFile === undefined || tlsKeyFile === undefined
      ? undefined
      : {
          cert: await readNamed(tlsCertFile, '--tls-cert-file'),
          key: await readNamed(tlsKeyFile, '--tls-key-file'),
        };
  await using server = await served({ cache, ...address, registries: mirror, ...(tls && { tls }) });
  tls?.key.fill(0);
  const scheme = tls === undefined ? 'http' : 'https';
  const urls = hostsOf(server.address.address).map((host) => `${scheme}://${host}:${server.address.port}`);
  await print(terminal.error, `serving ${cache} at ${urls.join(', ')}\n`);
  if (address.port !== 0) {
    const documents = mirror.map((name) =>
      one('RegistryMirrorConfig', { name, endpoints: urls.map((url) => ({ url })) }),
    );
    const content = documents.map((each) => stringify(each)).join('---\n');
    const files = [{ path: flags.patchFile, content, secret: false }];
    await writeFiles(files, { force: true, terminal, format: 'table' });
  }
  await aborted(terminal.signal);
}

/** @throws {UsageError} which names the flag that is wrong. */
async function served(options: CacheServerOptions): Promise<CacheServer> {
  try {
    return await serveCache(options);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    if (/^ERR_(?:OSSL|TLS)_/u.test(code))
      throw new UsageError('--tls-cert-file and --tls-key-file: they are no PEM, or not of each other');
    throw new UsageError(`--address ${options.host}:${options.port}: ${wordsOfErrno(code)}`);
  }
}

/** By which others reach an address; of all addresses those that are not of this machine alone. */
function hostsOf(address: string): readonly string[] {
  const isAll = address === '0.0.0.0' || address === '::';
  if (!isAll) return [bracketed(address)];
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const outside = all.filter(
    ({ internal, family, address: each }) =>
      !internal && !/^fe[89ab]/iu.test(each) && (address === '::' || family === 'IPv4'),
  );
  const hosts = outside.map((each) => bracketed(each.address));
  return hosts.length === 0 ? ['127.0.0.1'] : hosts;
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
