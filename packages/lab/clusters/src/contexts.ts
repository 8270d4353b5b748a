import { createHash, X509Certificate } from 'node:crypto';

import { loadOsconfig, type Osconfig, type OsContextInput, saveOsconfig } from '@nodecore/api';

import type { ClusterDirectory } from './directory.ts';
import { changeState, readState, type RecordedContext } from './state.ts';

/**
 * Puts the context of a cluster into a client config and makes it current, unless an earlier attempt has done so. A name that
 * is taken gets `-1`, `-2`, … It is recorded before it is written: whatever happens, destroy finds it.
 *
 * @param flag of `--osconfig`; `env` says where the file is otherwise.
 * @returns its name there, and the file.
 */
export async function mergeContext(
  directory: ClusterDirectory,
  context: OsContextInput & { readonly ca: string },
  location: {
    readonly flag?: string | undefined;
    readonly env: Readonly<Record<string, string | undefined>>;
  },
): Promise<RecordedContext> {
  const loaded = await loadOsconfig({ ...location, create: true });
  const { osconfig } = loaded;
  const { contexts } = await readState(directory);
  const there = contexts.find((each) => each.file === loaded.location.path && isOurs(osconfig, each));
  if (there !== undefined) return there;
  let name = directory.name;
  for (let number = 1; osconfig.names.includes(name); number += 1) name = `${directory.name}-${number}`;
  const recorded: RecordedContext = {
    file: loaded.location.path,
    context: name,
    caFingerprint: fingerprint(context.ca),
    ...(osconfig.current !== undefined && { previousCurrent: osconfig.current }),
  };
  await changeState(directory, { contexts: [...contexts, recorded] });
  osconfig.set(name, context);
  osconfig.use(name);
  await saveOsconfig(loaded);
  return recorded;
}

/** Takes a recorded context out of its client config, unless it is another's by now; all others stay as they are. */
export async function removeContext(recorded: RecordedContext): Promise<void> {
  const loaded = await loadOsconfig({ flag: recorded.file, create: true });
  const { osconfig } = loaded;
  if (!isOurs(osconfig, recorded)) return;
  const wasCurrent = osconfig.current === recorded.context;
  osconfig.remove(recorded.context);
  const { previousCurrent } = recorded;
  if (wasCurrent && previousCurrent !== undefined && osconfig.names.includes(previousCurrent))
    osconfig.use(previousCurrent);
  await saveOsconfig(loaded);
}

function isOurs(osconfig: Osconfig, { context: name, caFingerprint }: RecordedContext): boolean {
  if (!osconfig.names.includes(name)) return false;
  const { ca, key } = osconfig.context(name);
  using _key = key;
  return ca !== undefined && fingerprint(ca) === caFingerprint;
}

function fingerprint(ca: string): string {
  return createHash('sha256').update(new X509Certificate(ca).raw).digest('hex');
}
