import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { InsideProgram, type Lan } from '@nodecore/lan';
import { codeOf } from '@nodecore/sys';

import type { ClusterDirectory } from '../directory.ts';
import { ClusterError } from '../errors.ts';
import { kmsPort } from '../ports.ts';
import { isProgram, programPath } from '../programs.ts';

const name = 'nodecore-kms';

/** On the loopback of the namespace, where nobody but the gateway itself asks. */
const own = { address: '127.0.0.1', port: 4052 } as const;

/** The command line of the key server: the one of this checkout, or who is in the path. Undefined where there is none. */
export function keyServerCommand(): readonly [string, ...string[]] | undefined {
  const isInstalled = import.meta.url.includes('/node_modules/');
  const beside = new URL(`../../../../apps/key-server/bin/${name}.js`, import.meta.url).pathname;
  if (!isInstalled && isProgram(beside)) return [process.execPath, beside];
  const path = programPath(name);
  return path === undefined ? undefined : [path];
}

/**
 * Seals and unseals the keys of the nodes' volumes at the gateway. What seals is in `kms-ring` among the cluster's secrets: made once, and
 * the same for every keeper, as without it no volume opens again.
 *
 * @throws {ClusterError} `ERR_CLUSTER_PREFLIGHT` where there is no key server.
 * @throws {LanError} `ERR_LAN_COMMAND` when it does not start.
 */
export async function serveKeys(
  lan: Lan,
  directory: ClusterDirectory,
  say: (line: string) => void,
): Promise<AsyncDisposable> {
  const command = keyServerCommand();
  if (command === undefined)
    throw new ClusterError('ERR_CLUSTER_PREFLIGHT', `the program ${name} is missing`);
  const ring = join(directory.secrets, 'kms-ring');
  await makeRing(command, ring);
  const listen = ['--plaintext', '--listen', `${own.address}:${own.port}`, '--no-metrics'];
  const audit = join(directory.lan, 'kms-audit.log');
  const program = await InsideProgram.start(
    lan.namespace,
    {
      name: 'the key server',
      argv: [...command, 'serve', ...listen, '--ring', ring, '--audit', audit],
      mark: ring,
      log: join(directory.lan, 'kms.log'),
      ready: { words: '"msg":"listening"' },
    },
    say,
  );
  try {
    await lan.relay(kmsPort, own);
    return program;
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
}

/** One that is there stays: it is written whole. */
async function makeRing([file, ...words]: readonly [string, ...string[]], ring: string): Promise<void> {
  try {
    await access(ring);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    await promisify(execFile)(file, [...words, 'ring', 'init', '--ring', ring]);
  }
}
