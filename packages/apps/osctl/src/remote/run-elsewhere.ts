import { print, readNamedText, type Terminal, UsageError } from '@nodecore/cli';
import type { RemoteClusters, RemoteEnd, RemoteFlag } from '@nodecore/clusters/remote';
import { releaseVersion } from '@nodecore/sys/pure';
import type { Command, Option } from 'commander';

import type { RemoteFlags } from '../cluster/elsewhere.ts';
import { RemoteExitError } from '../errors.ts';
import { Archive } from './archive.ts';
import { mergeRemoteContext, removeRemoteContexts } from './contexts.ts';
import { archiveFlags, imageFlags, isOwn, textFlags } from './flag-kinds.ts';
import { openRemote } from './open.ts';

const stillThere =
  'not all that was to be saved came: the other computer keeps it for a week, below archives in its --state-dir';

/**
 * Has another computer run a command about clusters. Files that it names are read here: images are brought there, patches become text.
 * The context of a cluster that is made comes into the client config of this computer, and goes with the cluster.
 *
 * @throws {RemoteExitError} with the exit code there, which has said why.
 */
export async function runElsewhere(command: Command, endpoint: string, terminal: Terminal): Promise<void> {
  const flags = command.opts<RemoteFlags & { readonly [name: string]: unknown }>();
  using remote = await openRemote(endpoint, flags, terminal);
  const words = wordsOf(command);
  if (words[0] === 'create') await sayOtherVersion(remote, terminal); // before anything is sent
  const request = { words, arguments: command.args, flags: await flagsOf(command, remote, terminal) };
  await using archives = new AsyncDisposableStack();
  const archiveOf = async (name: string, isNew?: true): Promise<Archive | undefined> => {
    const path = flags[name];
    return typeof path === 'string' ? archives.use(await Archive.begin(path, isNew)) : undefined;
  };
  const logs = await archiveOf('saveClusterLogsArchivePath');
  const support = await archiveOf('saveSupportArchivePath', true);
  let end: RemoteEnd | undefined;
  let isSaving = false;
  try {
    for await (const piece of remote.run(request, { signal: terminal.signal })) {
      if (piece.out.length > 0) await print(terminal.out, piece.out);
      if (piece.error.length > 0) await print(terminal.error, piece.error);
      isSaving ||= piece.archive.length > 0 || piece.support.length > 0;
      if (piece.archive.length > 0) await logs?.add(piece.archive);
      if (piece.support.length > 0) await support?.add(piece.support);
      if (piece.end !== undefined) end = piece.end;
    }
  } catch (error) {
    if (isSaving) await print(terminal.error, `${stillThere}\n`);
    throw error;
  }
  const location = { flag: locationOf(flags), env: terminal.env };
  if (end?.clientConfig !== undefined && end.clientConfig.length > 0)
    await mergeRemoteContext(end.clientConfig, location, terminal);
  if (end?.authorities !== undefined) await removeRemoteContexts(end.authorities, location);
  // All of it came, whatever else failed there: the cluster it is of may be gone.
  if (end !== undefined) for (const archive of [logs, support]) await archive?.finish();
  if (end === undefined || end.exitCode !== 0) throw new RemoteExitError(end?.exitCode ?? 1);
}

async function sayOtherVersion(remote: RemoteClusters, { error, signal }: Terminal): Promise<void> {
  const { serverVersion, hostArch } = await remote.ping({ signal });
  if (shortOf(serverVersion) !== shortOf(releaseVersion))
    await print(error, `the other computer has version ${serverVersion}, this one ${releaseVersion}\n`);
  if (hostArch !== 'amd64') await print(error, `the other computer is ${hostArch}: its machines are slow\n`);
}

/** Major and minor. */
function shortOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

function locationOf(flags: Readonly<Record<string, unknown>>): string | undefined {
  const given = flags['osconfigDestination'] ?? flags['osconfig'];
  return typeof given === 'string' ? given : undefined;
}

function wordsOf(command: Command): readonly string[] {
  const words: string[] = [];
  for (let next: Command | null = command; next !== null && next.name() !== 'cluster'; next = next.parent)
    words.unshift(next.name());
  return words;
}

/** Those that were given, and the images that a cluster starts from by default. */
async function flagsOf(
  command: Command,
  remote: RemoteClusters,
  terminal: Terminal,
): Promise<readonly RemoteFlag[]> {
  const found: RemoteFlag[] = [];
  const startsElse = ['isoPath', 'usbPath', 'ukiPath', 'ipxeBootScript', 'diskImagePath'].some(
    (name) => command.getOptionValueSource(name) === 'cli',
  );
  for (const option of command.options) {
    const name = option.long?.slice(2) ?? '';
    const source = command.getOptionValueSource(option.attributeName());
    const isKernel = name === 'vmlinuz-path' || name === 'initrd-path';
    if (isKernel && startsElse) continue;
    // The file is this computer's; that there is one is said.
    if (archiveFlags.has(name) && source === 'cli') found.push({ name, value: '', bare: false });
    if ((source !== 'cli' && !isKernel) || isOwn(name)) continue;
    for (const text of textsOf(option, command.getOptionValue(option.attributeName())))
      found.push(
        text === undefined
          ? { name, value: '', bare: true }
          : { name, value: await valueOf(name, text, remote, terminal), bare: false },
      );
  }
  return found;
}

/** Undefined: the flag stands alone. */
function textsOf(option: Option, value: unknown): readonly (string | undefined)[] {
  if (Array.isArray(value)) return value.map(String);
  // The only flags that are read to numbers are times.
  if (typeof value === 'number') return [`${value}ms`];
  if (typeof value === 'boolean') return option.isBoolean() ? [undefined] : [String(value)];
  return [String(value)];
}

async function valueOf(
  name: string,
  text: string,
  remote: RemoteClusters,
  { error, signal }: Terminal,
): Promise<string> {
  if (textFlags.has(name) && text.startsWith('@')) return await readNamedText(text.slice(1), `--${name}`);
  if (!imageFlags.has(name) || URL.canParse(text)) return text;
  const path = text.replaceAll('${ARCH}', 'amd64');
  const sha256 = await remote.bring(path, { signal }).catch((cause: unknown) => {
    const { code, message } = cause as { readonly code?: string; readonly message: string };
    if (code !== 'ENOENT' && code !== 'EACCES' && code !== 'EISDIR') throw cause;
    throw new UsageError(`--${name}: ${message}`);
  });
  await print(error, `${path} is there (${sha256.slice(0, 12)}…)\n`);
  return `artifact:${sha256}`;
}
