import { createHash, X509Certificate } from 'node:crypto';

import { editOsconfig, loadOsconfig, type Osconfig, type OsContextInput } from '@nodecore/api';

import type { ClusterDirectory } from './directory.ts';
import { changeState, readState, type RecordedContext } from './state.ts';

/**
 * Puts the context of a cluster into a client config and makes it current, unless an earlier attempt has done so. A name that
 * is taken gets `-1`, `-2`, … It is recorded before it is written: whatever happens, destroy finds it.
 *
 * @param flag of `--osconfig`; `env` says where the file is otherwise.
 * @returns its name there, and the file.
 * @throws {ClusterError} `ERR_CLUSTER_NOT_FOUND` for a cluster that is destroyed meanwhile; its context is not there then.
 */
export async function mergeContext(
  directory: ClusterDirectory,
  context: OsContextInput & { readonly ca: string },
  location: {
    readonly flag?: string | undefined;
    readonly env: Readonly<Record<string, string | undefined>>;
  },
): Promise<RecordedContext> {
  const merged = await editOsconfig(location, async ({ osconfig, location: { path } }) => {
    const { contexts } = await readState(directory);
    const there = contexts.find((each) => each.file === path && isOurs(osconfig, each));
    if (there !== undefined) return there;
    let name = directory.name;
    for (let number = 1; osconfig.names.includes(name); number += 1) name = `${directory.name}-${number}`;
    const recorded: RecordedContext = {
      file: path,
      context: name,
      caFingerprint: fingerprint(context.ca),
      ...(osconfig.current !== undefined && { previousCurrent: osconfig.current }),
    };
    await changeState(directory, (state) => ({ contexts: [...state.contexts, recorded] }));
    osconfig.set(name, context);
    osconfig.use(name);
    return recorded;
  });
  // Who destroys the cluster looked for it before it was written, or is still to look.
  if ((await directory.exists()) && (await readState(directory)).phase !== 'destroying') return merged;
  await removeContext(merged);
  throw await directory.notFound();
}

/** Takes a recorded context out of its client config, unless it is another's by now; all others stay as they are. */
export async function removeContext(recorded: RecordedContext): Promise<void> {
  const { file, context, previousCurrent } = recorded;
  if (!isOurs((await loadOsconfig({ flag: file, create: true })).osconfig, recorded)) return;
  await editOsconfig({ flag: file }, ({ osconfig }) => {
    if (!isOurs(osconfig, recorded)) return;
    const wasCurrent = osconfig.current === context;
    osconfig.remove(context);
    if (wasCurrent && previousCurrent !== undefined && osconfig.names.includes(previousCurrent))
      osconfig.use(previousCurrent);
  });
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
