import { createReadStream } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';

import { loadOsconfig, Osconfig } from '@nodecore/api';
import { type ProgramDefinition, runProgram } from '@nodecore/cli';
import { ClusterDirectory, ClusterError, isClusterName, readState } from '@nodecore/clusters';
import type {
  ArtifactStore,
  RemoteEnd,
  RemotePiece,
  RemoteRequest,
  RemoteRun,
} from '@nodecore/clusters/remote';
import { makeDirectory } from '@nodecore/sys';
import { releaseVersion } from '@nodecore/sys/pure';

import { errorLines } from '../error-lines.ts';
import { exitCodeOf } from '../exit.ts';
import { archiveFlags, bareFlags, hostFlags, imageFlags, textFlags } from './flag-kinds.ts';
import { KeptArchives } from './kept-archives.ts';

/** Where a server has its clusters. */
export type ServedPlace = { readonly directory: string; readonly artifacts: ArtifactStore };

/** Commands that others may have run here. */
export const commandsFromAfar: ReadonlySet<string> = new Set([
  'create vm',
  'create dev',
  'create container',
  'show',
  'list',
  'start',
  'stop',
  'reboot',
  'power',
  'chaos',
  'disk list',
  'disk attach',
  'disk detach',
  'disk resize',
  'logs',
  'sync',
  'destroy',
]);

const clusterCommands: ProgramDefinition = {
  name: 'osctl',
  version: releaseVersion,
  description: '',
  commands: [{ name: 'cluster', summary: '', load: () => import('../cluster/command.ts') }],
  exits: {},
  addFlags: () => {},
  errorLines,
  exitCodeOf,
};

/** Of images of registries, which containers start from. */
const registryProtocol = 'docker:';

/** Parent of the directories of clusters of a server. */
export function servedState({ directory }: Pick<ServedPlace, 'directory'>): string {
  return join(directory, 'clusters');
}

/** Archives of clusters that others had destroyed. */
export function keptArchives({ directory }: Pick<ServedPlace, 'directory'>): KeptArchives {
  return new KeptArchives(join(directory, 'archives'));
}

/**
 * Runs commands as `osctl cluster` does, on clusters of the server alone. No path of a caller is one of this computer: an image is
 * named by its digest, and what else would be a file is refused.
 */
export function performer(place: ServedPlace): RemoteRun {
  return async (request, { write, signal }) => {
    const flags = await argumentsOf(request, place.artifacts);
    const name = flagOf(request, 'name') ?? 'os-default';
    const state = servedState(place);
    const words = request.words.join(' ');
    if (words !== 'list' && !isClusterName(name))
      throw new ClusterError('ERR_CLUSTER_REQUEST', `${JSON.stringify(name)} is no name of a cluster`);
    const client = join(place.directory, 'osconfig');
    const own = [`--state=${state}`, ...(words === 'list' ? [] : [`--osconfig=${client}`])];
    const isDestroy = words === 'destroy';
    const authorities = isDestroy ? await authoritiesOf(state, name) : [];
    const wasReady = words !== 'list' && (await readState(new ClusterDirectory(state, name))).ready;
    await makeDirectory(place.directory);
    const asked = [...archiveFlags].filter(([flag]) => isDestroy && flagOf(request, flag) !== undefined);
    const kept = asked.length === 0 ? '' : await keptArchives(place).begin(name);
    const archives = asked.map(([flag, piece]) => ({ flag, piece, path: join(kept, piece) }));
    own.push(...archives.map(({ flag, path }) => `--${flag}=${path}`));
    let isThere = false;
    try {
      const argv = ['cluster', ...request.words, ...flags, ...own, '--', ...request.arguments];
      const exitCode = await runProgram(clusterCommands, argv, {
        out: writing(write, (out) => ({ out })),
        error: writing(write, (error) => ({ error })),
        input: Readable.from([]),
        env: { HOME: place.directory, PATH: process.env['PATH'] },
        signal,
      });
      // At once: another one of this name may be made while these are sent.
      isThere = await new ClusterDirectory(state, name).exists();
      for (const { piece, path } of archives)
        await sendFile(path, async (bytes) => await write({ [piece]: bytes }));
      return await endOf({ exitCode, words, state, name, client, authorities, wasReady });
    } finally {
      // Of a cluster that is there others can be made, and of none there is nothing.
      if (isThere && kept !== '') await rm(kept, { recursive: true, force: true });
      else if (kept !== '') await rmdir(kept).catch(() => {});
    }
  };
}

async function argumentsOf(
  { words, flags }: RemoteRequest,
  artifacts: ArtifactStore,
): Promise<readonly string[]> {
  if (!commandsFromAfar.has(words.join(' ')))
    throw new ClusterError(
      'ERR_CLUSTER_REQUEST',
      `${JSON.stringify(words.join(' '))} is no command from afar`,
    );
  const found: string[] = [];
  for (const { name, value, bare } of flags) {
    if (archiveFlags.has(name)) continue; // the file is the caller's; its bytes are sent
    if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name))
      throw new ClusterError('ERR_CLUSTER_REQUEST', `${JSON.stringify(name)} is no flag`);
    if (hostFlags.has(name) || name.startsWith('remote-'))
      throw new ClusterError(
        'ERR_CLUSTER_REQUEST',
        `--${name} names a file of the other computer: not from afar`,
      );
    if (textFlags.has(name) && value.startsWith('@'))
      throw new ClusterError('ERR_CLUSTER_REQUEST', `--${name}: no file is read from afar`);
    if (bare && !bareFlags.has(name)) throw new ClusterError('ERR_CLUSTER_REQUEST', `--${name} has no value`);
    const text = imageFlags.has(name) ? await imageOf(name, value, artifacts) : value;
    found.push(bare ? `--${name}` : `--${name}=${text}`);
  }
  return found;
}

async function imageOf(name: string, value: string, artifacts: ArtifactStore): Promise<string> {
  const sha256 = /^artifact:([\da-f]{64})$/.exec(value)?.[1];
  if (sha256 === undefined) {
    const { protocol } = URL.parse(value) ?? { protocol: '' };
    if (/^https?:$/.test(protocol) || (name === 'image' && protocol === registryProtocol)) return value;
    throw new ClusterError('ERR_CLUSTER_REQUEST', `--${name}: an image is named by its digest, or a URL`);
  }
  const path = await artifacts.find(sha256);
  if (path === undefined)
    throw new ClusterError('ERR_CLUSTER_NOT_FOUND', `--${name}: no image ${sha256} is here`);
  return path;
}

function flagOf({ flags }: RemoteRequest, wanted: string): string | undefined {
  return flags.findLast(({ name }) => name === wanted)?.value;
}

function writing(
  write: (piece: RemotePiece) => Promise<void>,
  pieceOf: (bytes: Uint8Array) => RemotePiece,
): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      // Who asked may be gone, which the signal says.
      void write(pieceOf(chunk))
        .catch(() => {})
        .finally(done);
    },
  });
}

async function sendFile(path: string, send: (bytes: Uint8Array) => Promise<void>): Promise<void> {
  try {
    for await (const bytes of createReadStream(path, { highWaterMark: 256 << 10 }))
      await send(bytes as Buffer);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error; // the command has said why
  }
}

async function authoritiesOf(state: string, name: string): Promise<readonly string[]> {
  const { contexts } = await readState(new ClusterDirectory(state, name));
  return contexts.map(({ caFingerprint }) => caFingerprint);
}

async function endOf({
  exitCode,
  words,
  state,
  name,
  client,
  authorities,
  wasReady,
}: {
  readonly exitCode: number;
  readonly words: string;
  readonly state: string;
  readonly name: string;
  readonly client: string;
  readonly authorities: readonly string[];
  readonly wasReady: boolean;
}): Promise<RemoteEnd> {
  // By force a cluster goes although something of it is left; nobody finds its contexts by it any more.
  if (words === 'destroy' && (exitCode === 0 || !(await new ClusterDirectory(state, name).exists())))
    return { exitCode, authorities };
  // Who is refused a cluster that others have made does not get its context, let alone as the current one.
  if (!words.startsWith('create ') || wasReady) return { exitCode };
  const { contexts } = await readState(new ClusterDirectory(state, name));
  const recorded = contexts.find(({ file }) => file === client);
  if (recorded === undefined) return { exitCode };
  const { osconfig } = await loadOsconfig({ flag: client });
  const context = osconfig.context(recorded.context);
  using _key = context.key;
  const alone = Osconfig.empty('client config');
  alone.set(name, context);
  alone.use(name);
  return { exitCode, clientConfig: alone.encode() };
}
