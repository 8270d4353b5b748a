import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createWebAuthority, issueWebServer } from '@nodecore/pki';
import { findProgram } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

/** Real servers of this computer for machines in QEMU's own network, which reach them at {@link hostAddress}. */
export type RigServers = {
  /** PEM of who vouches for both. */
  readonly authority: string;
};

/** This computer, as machines see it. */
export const hostAddress = '10.0.2.2';
/** What the server of names proves to be. */
export const nameServerName = 'dns.rig.test';
/** The server of time, by a name that nobody but that server knows. */
export const timeServerName = 'time.rig.test';

/**
 * unbound, which answers over TLS alone, and chronyd, which says the time of this computer and proves who it is (NTS). Machines ask at
 * ports that nobody can choose: 853, 123 and 4460. Both end with the test.
 */
export async function rigServers(t: ExecutionContext, directory: string): Promise<RigServers> {
  const authority = await createWebAuthority('rig');
  const { crt, key } = await issueWebServer(authority, { names: [nameServerName, timeServerName] });
  const [chain, keyFile] = [join(directory, 'servers.crt'), join(directory, 'servers.key')];
  await writeFile(chain, crt);
  await writeFile(keyFile, key.bytes, { mode: 0o600 });
  for (const secret of [authority.key, key]) secret[Symbol.dispose]();

  const names = join(directory, 'unbound.conf');
  await writeFile(names, unboundConfiguration(directory, { chain, keyFile }));
  await start(t, 'unbound', ['-d', '-c', names], { LD_LIBRARY_PATH: libraries() });

  const time = join(directory, 'chrony.conf');
  await writeFile(time, chronyConfiguration(directory, { chain, keyFile }));
  await start(t, 'chronyd', ['-x', '-d', '-u', 'root', '-f', time]);
  return { authority: authority.crt };
}

type Files = { readonly chain: string; readonly keyFile: string };

function unboundConfiguration(directory: string, { chain, keyFile }: Files): string {
  return `server:
  interface: 127.0.0.1@853
  tls-service-pem: "${chain}"
  tls-service-key: "${keyFile}"
  module-config: "iterator"
  local-zone: "rig.test." static
  local-data: "${timeServerName}. A ${hostAddress}"
  directory: "${directory}"
  chroot: ""
  username: ""
  pidfile: ""
  use-syslog: no
remote-control:
  control-enable: no
`;
}

function chronyConfiguration(directory: string, { chain, keyFile }: Files): string {
  return [
    'allow',
    'local stratum 1',
    'bindaddress 127.0.0.1',
    'cmdport 0',
    'bindcmdaddress /',
    `pidfile ${join(directory, 'chrony.pid')}`,
    `ntsservercert ${chain}`,
    `ntsserverkey ${keyFile}`,
    '',
  ].join('\n');
}

/** Of the unpacked program. */
function libraries(): string {
  return join(findProgram('unbound') ?? '', '../lib');
}

async function start(
  t: ExecutionContext,
  name: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const server = spawn(findProgram(name) ?? '', words, {
    stdio: 'ignore',
    env: { ...process.env, ...env },
  });
  server.once('spawn', resolve).once('error', reject);
  t.teardown(() => server.kill('SIGKILL'));
  await promise;
}
