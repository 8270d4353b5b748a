import { resolve } from 'node:path';

import { socketPathProblem } from '@nodecore/api';
import { print, type Terminal, UsageError, wordsOfErrno } from '@nodecore/cli';
import { chosenNodes, ClusterDirectory, parseBytes } from '@nodecore/clusters';
import {
  ArtifactStore,
  remoteCredentials,
  type RemoteListen,
  type RemoteServer,
  serveRemote,
} from '@nodecore/clusters/remote';
import { codeOf, makeDirectory } from '@nodecore/sys';
import { aborted } from '@nodecore/waiting';

import { keptArchives, performer, servedState } from './perform.ts';

/** The flags of `osctl remote-provision-launch`. */
export type LaunchFlags = {
  readonly listen: string;
  readonly stateDir: string;
  readonly tlsCertFile?: string;
  readonly tlsKeyFile?: string;
  readonly tokenFile?: string;
  readonly maxCache: string;
};

/** Serves the clusters of this computer until it is interrupted or ended; the clusters go on. */
export async function launch(flags: LaunchFlags, terminal: Terminal): Promise<void> {
  const listen = listenOf(flags.listen);
  const maxBytes = parseBytes(flags.maxCache);
  if (maxBytes === undefined) throw new UsageError(`--max-cache ${flags.maxCache}: a size, such as 20GiB`);
  if ((flags.tlsCertFile === undefined) !== (flags.tlsKeyFile === undefined))
    throw new UsageError('--tls-cert-file and --tls-key-file go together: give both, or neither');
  const directory = resolve(flags.stateDir);
  await makeDirectory(directory);
  using credentials = await remoteCredentials(`${directory}/credentials`, {
    certFile: flags.tlsCertFile,
    keyFile: flags.tlsKeyFile,
    tokenFile: flags.tokenFile,
  });
  const artifacts = new ArtifactStore(`${directory}/artifacts`, maxBytes);
  await artifacts.sweep();
  const place = { directory, artifacts };
  await keptArchives(place).sweep();
  const doorOf = async (cluster: string, machine: string) => {
    const plan = await new ClusterDirectory(servedState(place), cluster).requirePlan();
    const [node] = chosenNodes(plan, [machine]);
    if (node === undefined) throw new TypeError('one name is one machine');
    return node.door;
  };
  const served = { listen, credentials, artifacts, run: performer(place), doorOf };
  await using server = await listening(flags.listen, served);
  await print(terminal.error, `serving clusters at ${server.endpoint}\n`);
  await print(terminal.error, `fingerprint ${credentials.fingerprint}\n`);
  if (credentials.newToken !== undefined)
    await print(terminal.error, `token ${credentials.newToken}\nit is not shown again: keep it in a file\n`);
  const ended = Promise.withResolvers<void>();
  process.once('SIGTERM', ended.resolve);
  try {
    await Promise.race([ended.promise, aborted(terminal.signal)]);
  } finally {
    process.off('SIGTERM', ended.resolve);
  }
}

function listenOf(text: string): RemoteListen {
  const path = /^unix:(.*)$/su.exec(text)?.[1];
  const problem = path === undefined ? undefined : socketPathProblem(path);
  if (problem !== undefined) throw new UsageError(`--listen ${text}: ${problem}`);
  if (path !== undefined) return { path };
  const [, v6, name, port] = /^(?:\[([\da-f:.]+)\]|([^:]+)):(\d{1,5})$/iu.exec(text) ?? [];
  const host = v6 ?? name;
  if (host === undefined || Number(port) > 65_535)
    throw new UsageError(`--listen ${text}: host:port, or unix:/path`);
  return { host, port: Number(port) };
}

async function listening(text: string, options: Parameters<typeof serveRemote>[0]): Promise<RemoteServer> {
  try {
    return await serveRemote(options);
  } catch (error) {
    const code = codeOf(error);
    if (code !== undefined && /^ERR_(?:OSSL|TLS)_/u.test(code))
      throw new UsageError('--tls-cert-file and --tls-key-file: they are no PEM, or not of each other');
    const words = code === undefined ? String(error) : wordsOfErrno(code);
    throw new UsageError(`--listen ${text}: ${words}`);
  }
}
