import { encodeSpec } from '@nodecore/api';
import { Phase, type ResourceInit } from '@nodecore/api/resource';
import type { Json, Resource } from '@nodecore/state';

/**
 * Resources as they are sent. Each version is encoded once, for all who list or watch it; the form goes when its version
 * does. Whoever asks has been found to may read the type: a form is the same for everybody.
 */
export class WireForms {
  readonly #encode: (spec: Json) => Uint8Array;
  readonly #made = new WeakMap<Resource, ResourceInit>();

  constructor(encode: (spec: Json) => Uint8Array = encodeSpec) {
    this.#encode = encode;
  }

  of(resource: Resource): ResourceInit {
    const known = this.#made.get(resource);
    if (known !== undefined) return known;
    const made = { metadata: wireMetadata(resource), spec: this.#encode(resource.spec) };
    this.#made.set(resource, made);
    return made;
  }
}

function wireMetadata({ metadata }: Resource): ResourceInit['metadata'] {
  const { namespace, type, id, version, owner, phase, createdMs, updatedMs, labels } = metadata;
  return {
    namespace,
    type,
    id,
    version: BigInt(version),
    owner,
    phase: phase === 'running' ? Phase.RUNNING : Phase.TEARING_DOWN,
    createdMillis: BigInt(createdMs),
    updatedMillis: BigInt(updatedMs),
    labels,
    annotations: metadata.annotations,
    finalizers: metadata.finalizers,
  };
}
