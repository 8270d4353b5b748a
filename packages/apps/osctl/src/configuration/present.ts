import { ApiError, decodeSpec, listAll } from '@nodecore/api';

import type { Target } from '../nodes/target.ts';

const type = 'MachineConfigs.config.nodecore.dev';

/** The configuration of a node, without its secrets. */
export type Present = {
  readonly text: string;
  /** A change made from it is refused once the node has another one. */
  readonly version: bigint;
};

/** The newest configuration of a node: the active one, or the one that waits for the next boot. */
export async function presentConfiguration(
  { client, node, name }: Target,
  { namespace = 'config', signal }: { readonly namespace?: string; readonly signal: AbortSignal },
): Promise<Present> {
  const { resources } = await listAll(client, { type, namespace }, { node, signal });
  const found = resources.map(({ metadata, spec }) => ({
    text: decodeSpec(spec),
    version: metadata?.version ?? 0n,
  }));
  const newest = found.reduce<(typeof found)[number] | undefined>(
    (best, one) => (best === undefined || one.version > best.version ? one : best),
    undefined,
  );
  if (typeof newest?.text === 'string') return { text: newest.text, version: newest.version };
  throw new ApiError(
    'ERR_API_NOT_FOUND',
    `${name} has no configuration yet: give it one with osctl apply-config`,
    {
      endpoint: client.endpoint,
      node,
    },
  );
}
