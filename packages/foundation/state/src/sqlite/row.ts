import { decodeJson, encodeJson } from '../json-text.ts';
import type { Key, Metadata, Phase, Resource } from '../resource.ts';
import { StateError } from '../state-error.ts';

/** A row of `objects`, and half of one of `log`. */
export type ResourceRow = {
  readonly namespace: string;
  readonly type: string;
  readonly id: string;
  readonly version: number;
  readonly phase: string;
  readonly owner: string;
  readonly meta: string;
  readonly spec: string;
};

type Meta = Pick<Metadata, 'createdMs' | 'updatedMs' | 'labels' | 'annotations' | 'finalizers'>;

/** In the order of the columns of {@link ResourceRow}. */
export type ResourceColumns = readonly [string, string, string, number, string, string, string, string];

/** A resource as it is, in the columns of {@link ResourceRow}. */
export function plainColumns({ metadata, spec }: Resource): ResourceColumns {
  const { namespace, type, id, version, phase, owner, ...rest } = metadata;
  const { createdMs, updatedMs, labels, annotations, finalizers } = rest;
  const meta = JSON.stringify({ createdMs, updatedMs, labels, annotations, finalizers });
  return [namespace, type, id, version, phase, owner, meta, encodeJson(spec)];
}

/** @throws {StateError} `ERR_STATE_CORRUPT` when it is not what {@link plainColumns} makes. */
export function fromRow(row: ResourceRow): Resource {
  const { namespace, type, id, version, phase, owner } = row;
  try {
    const meta = JSON.parse(row.meta) as Meta;
    const { createdMs, updatedMs, labels, annotations, finalizers } = meta;
    const metadata: Metadata = {
      namespace,
      type,
      id,
      version,
      owner,
      phase: phase as Phase,
      createdMs,
      updatedMs,
      labels,
      annotations,
      finalizers,
    };
    return { metadata, spec: decodeJson(row.spec) };
  } catch (error) {
    throw corrupt({ namespace, type, id }, error);
  }
}

/** The same resource with the labels it had before. */
export function withLabels(resource: Resource, text: string): Resource {
  try {
    const labels = JSON.parse(text) as Readonly<Record<string, string>>;
    return { metadata: { ...resource.metadata, labels }, spec: resource.spec };
  } catch (error) {
    throw corrupt(resource.metadata, error);
  }
}

function corrupt({ type, id }: Key, cause: unknown): StateError {
  return new StateError('ERR_STATE_CORRUPT', `${type}/${id}`, 'what is stored is no JSON', { cause });
}
