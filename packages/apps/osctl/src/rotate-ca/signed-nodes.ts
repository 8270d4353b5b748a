import { ApiError, type Client, listAll } from '@nodecore/api';

import { fieldsOf } from '../output/fields.ts';
import { RotationError } from './errors.ts';

/** A node with a certificate that a control plane has signed, and that is still good. */
export type SignedNode = { readonly id: string; readonly names: readonly string[]; readonly until: string };

/** What a node is called in its own certificate, and whom it has signed certificates for. */
export type NodeNames = { readonly names: readonly string[]; readonly signed: readonly SignedNode[] };

const area = 'security.nodecore.dev';

/** Releases before have no list of whom they have signed for: it is empty then. */
export async function namesOf(client: Client, signal: AbortSignal): Promise<NodeNames> {
  const [certificates, signed] = await Promise.all(
    ['CertificateStatuses', 'SignedNodes'].map((kind) => specsOf(client, `${kind}.${area}`, signal)),
  );
  return {
    names: (certificates ?? []).flatMap(({ spec }) => textsOf(spec['names'])),
    signed: (signed ?? []).map(({ id, spec }) => {
      return { id, names: textsOf(spec['names']), until: String(spec['until']) };
    }),
  };
}

/**
 * A worker that is left behind is reached by nobody after the rotation. All that have a certificate are known, as the control
 * planes have signed it.
 *
 * @param named hosts by which the user names nodes, those that are no more among them
 * @param own names in the certificates of those nodes: of these only the first tells which node it is, as bridges and services have
 *   the same ones on many
 * @throws {RotationError} `ERR_ROTATION_NODE` with those that are not among them
 */
export function requireSigned(
  signed: readonly SignedNode[],
  { named, own }: { readonly named: readonly string[]; readonly own: readonly string[] },
): void {
  const [dialled, called] = [named, own].map((names) => new Set(names.map((name) => name.toLowerCase())));
  const missing = signed.filter(
    ({ id, names }) => called?.has(id) !== true && !names.some((name) => dialled?.has(name) === true),
  );
  if (missing.length === 0) return;
  const words = missing.map(({ id, names, until }) => {
    const others = names.filter((name) => name !== id);
    return `${[id, ...others].join(' ')} (until ${until})`;
  });
  const ids = missing.map(({ id }) => id).join();
  throw new RotationError(
    'ERR_ROTATION_NODE',
    `nodes with a certificate of this cluster were not named: ${[...new Set(words)].join(', ')}; name every worker, ` +
      `or say that they are no more: --without-nodes ${ids}`,
  );
}

type Found = { readonly id: string; readonly spec: Readonly<Record<string, unknown>> };

async function specsOf(client: Client, type: string, signal: AbortSignal): Promise<readonly Found[]> {
  try {
    const { resources } = await listAll(client, { type }, { signal });
    return resources.map((each) => ({ id: each.metadata?.id ?? '', spec: fieldsOf(each) }));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'ERR_API_NOT_FOUND') return [];
    throw error;
  }
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
