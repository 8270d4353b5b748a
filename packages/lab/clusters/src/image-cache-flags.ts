import { resolve } from 'node:path';

import { configurationPort, kmsPort, logSinkPort } from './ports.ts';

/** A cache of this computer that nodes pull from. */
export type ImageCacheRequest = {
  readonly path: string;
  /** Of the gateway. */
  readonly port: number;
  /** Files with PEM; in plain text without them. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
};

/** The flags of an image cache as they were typed. */
export type ImageCacheFlags = {
  readonly imageCachePath?: string;
  readonly imageCachePort: string;
  readonly imageCacheTlsCertFile?: string;
  readonly imageCacheTlsKeyFile?: string;
};

/** Undefined: no cache is served. What is wrong goes to `problems`. */
export function readImageCache(flags: ImageCacheFlags, problems: string[]): ImageCacheRequest | undefined {
  const { imageCachePath: path, imageCacheTlsCertFile: certFile, imageCacheTlsKeyFile: keyFile } = flags;
  const port = Number(flags.imageCachePort);
  if (!/^\d{1,5}$/.test(flags.imageCachePort) || port < 1 || port > 65_535)
    problems.push(`--image-cache-port ${flags.imageCachePort}: 1 to 65535`);
  else if ([53, logSinkPort, configurationPort, kmsPort].includes(port))
    problems.push(`--image-cache-port ${port}: the gateway serves something else there`);
  if ((certFile === undefined) !== (keyFile === undefined))
    problems.push('--image-cache-tls-cert-file and --image-cache-tls-key-file: both, or neither');
  if (path === undefined) {
    if (certFile !== undefined || keyFile !== undefined)
      problems.push('--image-cache-tls-…: nothing is served without --image-cache-path');
    return undefined;
  }
  // Whole paths: the keeper, which reads them, works somewhere else.
  return {
    path: resolve(path),
    port,
    ...(certFile !== undefined &&
      keyFile !== undefined && { tls: { certFile: resolve(certFile), keyFile: resolve(keyFile) } }),
  };
}
