import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { type LocationOptions, loadOsconfig, Osconfig, saveOsconfig } from '@nodecore/api';

import { checkout } from '../paths.ts';
import type { NodeSecrets } from './credentials.ts';
import type { NodeName } from './start-options.ts';

/** Where a node's context went. */
export type MergedContext = {
  readonly name: string;
  /** The client config. */
  readonly path: string;
  /** The endpoint of another node, whose context has the node's own name and stays as it is. */
  readonly taken: string | undefined;
};

/**
 * Puts the node's context into the user's client config and makes it current. Other contexts stay: where another node has
 * the name, this one's is called after the checkout, and what is current stays so.
 */
export async function mergeContext(
  name: NodeName,
  secrets: NodeSecrets,
  port: number,
  options: LocationOptions & { readonly checkout?: string } = {},
): Promise<MergedContext> {
  const own = Osconfig.parse(await readFile(secrets.osconfig), secrets.osconfig).context(name);
  using _key = own.key;
  const loaded = await loadOsconfig({ ...options, create: true });
  const { osconfig, location } = loaded;
  const context = { ...own, endpoints: [`127.0.0.1:${port}`] };
  const taken = otherNode(osconfig, name, context);
  let free: string = name;
  for (let number = 1; otherNode(osconfig, free, context) !== undefined; number += 1)
    free = `${name}-${basename(options.checkout ?? checkout)}${number === 1 ? '' : `-${number}`}`;
  osconfig.set(free, context);
  if (taken === undefined || osconfig.current === undefined) osconfig.use(free);
  await saveOsconfig(loaded);
  return { name: free, path: location.path, taken };
}

type Known = { readonly ca?: string; readonly endpoints: readonly string[] };

/**
 * The endpoint of a context that is not this node's: another authority at another address. One at the same address can
 * only be a node that was here before.
 */
function otherNode(osconfig: Osconfig, name: string, own: Known): string | undefined {
  if (!osconfig.names.includes(name)) return undefined;
  const present = osconfig.context(name);
  using _key = present.key;
  if (present.ca === own.ca) return undefined;
  return present.endpoints.some((endpoint) => own.endpoints.includes(endpoint))
    ? undefined
    : (present.endpoints[0] ?? 'no address');
}
