import type { OsContext } from '@nodecore/api';
import { type Terminal, UsageError } from '@nodecore/cli';

import type { GlobalFlags } from '../global-flags.ts';
import { checkedEndpoint, isSameNode, proxies } from '../nodes/target.ts';
import { RotatingNode } from './rotating-node.ts';

export type NamedNodes = {
  readonly controlPlaneNodes?: readonly string[];
  readonly workerNodes?: readonly string[];
};

/**
 * The nodes of the flags, else all that the context has. Each is dialled itself, whatever its name: nobody else can say whom it lets in.
 *
 * @throws {UsageError} for a context that leads elsewhere, or to nothing.
 */
export function dialledNodes(
  flags: GlobalFlags & NamedNodes,
  context: OsContext,
  { env, signal }: Pick<Terminal, 'env' | 'signal'>,
): readonly RotatingNode[] {
  if (context.identity !== undefined || (flags.cluster ?? context.cluster) !== undefined)
    throw new UsageError(
      `context "${context.name}" leads to a proxy or a fleet; take one that reaches the nodes themselves`,
    );
  const named = [...(flags.controlPlaneNodes ?? []), ...(flags.workerNodes ?? [])];
  if (named.length > 0 && flags.nodes !== undefined)
    throw new UsageError('--control-plane-nodes and --worker-nodes name the nodes; leave out -n');
  const endpoints = (flags.endpoints ?? context.endpoints).map(checkedEndpoint);
  const names = named.length > 0 ? named : (flags.nodes ?? [...context.nodes, ...endpoints]);
  const proxyOf = proxies(context, env);
  const nodes = new Map<string, RotatingNode>();
  for (const name of names) {
    const endpoint = endpoints.find((each) => isSameNode(name, each)) ?? checkedEndpoint(name);
    if (!nodes.has(endpoint))
      nodes.set(endpoint, new RotatingNode({ name, endpoint, proxy: proxyOf(endpoint), signal }));
  }
  if (nodes.size === 0)
    throw new UsageError(`context "${context.name}" has no nodes; name all of them with -n <nodes>`);
  return [...nodes.values()];
}
