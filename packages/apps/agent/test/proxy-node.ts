import { ApplyMode } from '@nodecore/api/machine';
import type { ExecutionContext } from 'ava';

import { apiNode, type ApiNodeOptions, ca } from './api-node.ts';
import { rootDocument } from './documents.ts';

export type NamedOptions = ApiNodeOptions & { readonly type?: string };

export type NamedNode = Awaited<ReturnType<typeof apiNode>>;

/** A node with a configuration, whose certificate calls it by this name. */
export async function namedNode(
  t: ExecutionContext,
  name: string,
  { type = 'controlplane', issuer = ca, ...options }: NamedOptions = {},
): Promise<NamedNode> {
  const node = await apiNode(t, { ...options, issuer });
  const data = Buffer.from(rootDocument(issuer, { name, type }));
  await node.insecure().applyConfiguration({ data, mode: ApplyMode.AUTO });
  return node;
}

/** A control plane `near`, and a worker `far` that it reaches. */
export async function twoNodes(
  t: ExecutionContext,
  { near = {}, far = {} }: { readonly near?: NamedOptions; readonly far?: NamedOptions } = {},
): Promise<{ readonly near: NamedNode; readonly far: NamedNode }> {
  const target = await namedNode(t, 'far', { type: 'worker', ...far });
  return {
    far: target,
    near: await namedNode(t, 'near', { ...near, otherNode: { port: target.address.port } }),
  };
}
