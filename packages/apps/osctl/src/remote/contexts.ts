import { createHash, X509Certificate } from 'node:crypto';

import { editOsconfig, loadOsconfig, Osconfig } from '@nodecore/api';
import { print, type Terminal } from '@nodecore/cli';
import { removeContext } from '@nodecore/clusters';

type Location = {
  readonly flag: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** Puts the context of a cluster elsewhere into the client config and makes it current. A name that is taken gets `-1`, `-2`, … */
export async function mergeRemoteContext(
  bytes: Uint8Array,
  location: Location,
  { error }: Pick<Terminal, 'error'>,
): Promise<void> {
  const words = await editOsconfig(location, ({ osconfig, location: { path } }) => {
    osconfig.merge(Osconfig.parse(bytes, 'the client config of the cluster'));
    return `context ${osconfig.current} in ${path}\n`;
  });
  await print(error, words);
}

/** Takes the contexts of a cluster that is gone out of the client config: those with one of its authorities. */
export async function removeRemoteContexts(
  authorities: readonly string[],
  location: Location,
): Promise<void> {
  const { osconfig, location: place } = await loadOsconfig({ ...location, create: true });
  for (const name of osconfig.names) {
    const { ca, key } = osconfig.context(name);
    using _key = key;
    if (ca === undefined) continue;
    const caFingerprint = createHash('sha256').update(new X509Certificate(ca).raw).digest('hex');
    if (authorities.includes(caFingerprint))
      await removeContext({ file: place.path, context: name, caFingerprint });
  }
}
