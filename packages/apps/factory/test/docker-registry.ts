import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { findProgram, temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

/**
 * Debian's registry on a port that it chooses.
 *
 * @param htpasswd file of names that it lets in; everybody without.
 * @param tls files with its certificate and key, PEM; without TLS unless given.
 * @returns its host.
 */
export async function dockerRegistry(
  t: ExecutionContext,
  htpasswd?: string,
  tls?: { readonly certificate: string; readonly key: string },
): Promise<string> {
  const directory = await temporaryDirectory(t);
  const configuration = join(directory, 'config.json'); // which is YAML
  const settings = {
    version: 0.1,
    storage: { filesystem: { rootdirectory: join(directory, 'data') } },
    http: { addr: '127.0.0.1:0', ...(tls && { tls }) },
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
