import { ApiError, listAll, parseEndpoint } from '@nodecore/api';

import { everyNode } from '../nodes/every-node.ts';
import type { ConfiguredNode } from './configured.ts';
import { RotationError } from './errors.ts';
import type { Credentials, RotatingNode } from './rotating-node.ts';
import { namesOf, type NodeNames, requireSigned } from './signed-nodes.ts';

/** A node that was looked at before anything changes. */
export type Seen = {
  readonly node: RotatingNode;
  /** That it lets in now. */
  readonly credentials: Credentials;
  readonly configuration: ConfiguredNode;
};

export type Expected = {
  readonly candidates: readonly Credentials[];
  /** Names of nodes that the user says are control planes, or workers; undefined: the nodes say it. */
  readonly controlPlanes?: readonly string[] | undefined;
  readonly workers?: readonly string[] | undefined;
  /** Names of workers that are no more. */
  readonly gone?: readonly string[] | undefined;
  readonly signal: AbortSignal;
};

/**
 * Looks at all nodes at once, each over a connection of its own. Every member of the kvstore has to be among them, as a control plane
 * that is left out would issue certificates that nobody believes; and every worker, as one would be cut off.
 *
 * @throws {PartialError | AllFailedError} with each node that is not ready, by name.
 */
export async function lookAtAll(
  nodes: readonly RotatingNode[],
  expected: Expected,
): Promise<readonly Seen[]> {
  const seen = await everyNode(nodes, (node) => steadily(() => look(node, expected)));
  seen.throwFailures();
  const found = seen.results.map(({ result }) => result);
  if (!found.some(({ seen: { configuration } }) => configuration.isControlPlane))
    throw new RotationError('ERR_ROTATION_NODE', 'none of the nodes is a control plane: name those, too');
  const asked = new Set(found.flatMap(({ memberId }) => memberId ?? []));
  const strangers = found.flatMap(({ members }) => members.filter(({ id }) => !asked.has(id)));
  const names = [...new Set(strangers.map(({ hostname, id }) => hostname || id.toString(16)))].toSorted();
  if (names.length > 0)
    throw new RotationError(
      'ERR_ROTATION_NODE',
      `of the kvstore there are members that were not named: ${names.join(', ')}; name every control plane and worker`,
    );
  requireSigned(
    found.flatMap(({ names: { signed } }) => signed),
    {
      named: [...found.map(({ seen: { node } }) => hostOf(node.endpoint)), ...(expected.gone ?? [])],
      own: found.flatMap(({ names: own }) => own.names),
    },
  );
  return found.map(({ seen: each }) => each);
}

function hostOf(endpoint: string): string {
  return parseEndpoint(endpoint).host;
}

const maxTries = 3;

/** A node whose authorities have just changed ends connections that it had. */
async function steadily<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      const isLost =
        error instanceof ApiError && (error.fault === 'lost' || error.code === 'ERR_API_CANCELLED');
      if (!isLost || tries === maxTries) throw error;
    }
}

type Look = {
  readonly seen: Seen;
  readonly names: NodeNames;
  readonly memberId: bigint | undefined;
  readonly members: readonly { readonly id: bigint; readonly hostname: string }[];
};

async function look(node: RotatingNode, expected: Expected): Promise<Look> {
  const { signal } = expected;
  const credentials = await letIn(node, expected.candidates);
  const { roles } = await node.call(credentials, (client) => client.access({ signal }));
  if (!roles.includes('os:admin'))
    throw new RotationError('ERR_ROTATION_NODE', `${node.name}: to rotate needs os:admin`);
  const configuration = await node.configuration(credentials);
  const { isControlPlane } = configuration;
  if (isControlPlane ? expected.workers?.includes(node.name) : expected.controlPlanes?.includes(node.name))
    throw new RotationError(
      'ERR_ROTATION_NODE',
      `${node.name}: it is a ${isControlPlane ? 'control plane' : 'worker'}, and was named as the other`,
    );
  const seen = { node, credentials, configuration };
  return await node.call(credentials, async (client) => {
    const names = await namesOf(client, signal);
    const type = 'KvstoreMembers.kvstore.nodecore.dev';
    const own = isControlPlane ? (await listAll(client, { type }, { signal })).resources : [];
    if (own.length === 0) return { seen, names, memberId: undefined, members: [] };
    const [{ memberId }, { members }] = [
      await client.kvstore.status({ signal }),
      await client.kvstore.members({ signal }),
    ];
    return { seen, names, memberId, members };
  });
}

/** The first that the node lets in. @throws {ApiError} of the first, when it is none. */
async function letIn(node: RotatingNode, candidates: readonly Credentials[]): Promise<Credentials> {
  const failures: unknown[] = [];
  for (const credentials of candidates)
    try {
      await node.prove(credentials);
      return credentials;
    } catch (error) {
      // It hangs up on who it does not let in; whether the kernel tells of that as a lost connection is chance.
      const mayBeRefused =
        error instanceof ApiError && (error.code === 'ERR_API_UNAUTHENTICATED' || error.fault === 'lost');
      if (!mayBeRefused) throw error;
      failures.push(error);
    }
  throw failures[0];
}
