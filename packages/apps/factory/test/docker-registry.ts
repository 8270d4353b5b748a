import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { findProgram, temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

export type DockerRegistryOptions = {
  /** File of names that it lets in; everybody without. */
  readonly htpasswd?: string;
  /** Files with its certificate and key, PEM; without TLS unless given. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** URL of a registry for which it keeps what it is asked for, and has nothing else. */
  readonly remote?: string;
};

/** Debian's registry on a port that it chooses. @returns its host. */
export async function dockerRegistry(
  t: ExecutionContext,
  { htpasswd, tls, remote }: DockerRegistryOptions = {},
): Promise<string> {
  const directory = await temporaryDirectory(t);
  const configuration = join(directory, 'config.json'); // which is YAML
  const settings = {
    version: 0.1,
    storage: { filesystem: { rootdirectory: join(directory, 'data') } },
    http: { addr: '127.0.0.1:0', ...(tls && { tls }) },
    ...(remote !== undefined && { proxy: { remoteurl: remote } }),
    ...(htpasswd !== undefined && { auth: { htpasswd: { realm: 'test', path: htpasswd } } }),
  };
  await writeFile(configuration, JSON.stringify(settings));
  const child = spawn(findProgram('docker-registry') ?? '', ['serve', configuration], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { OTEL_TRACES_EXPORTER: 'none' },
  });
  t.teardown(async () => {
    child.kill('SIGKILL');
    if (child.signalCode === null) await once(child, 'exit');
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said += String(text);
    const host = /listening on (?<host>127\.0\.0\.1:\d+)/.exec(said)?.groups?.['host'];
    if (host !== undefined) resolve(host);
  });
  child.once('exit', () => reject(new Error(said)));
  return await promise;
}
