import type { Entry } from '@nodecore/kvstore';
import {
  decodeJson,
  encodeJson,
  type Json,
  type Key,
  type Kind,
  type Resource,
  StateError,
} from '@nodecore/state';

/** Where resources are kept: `prefix/namespace/type/id`. Namespaces and types have no slashes; ids may have some. */
export class Layout {
  readonly root: string;

  /** @param root what all keys begin with. */
  constructor(root: string) {
    this.root = root;
  }

  /** What the keys of a kind begin with. */
  ofKind({ namespace, type }: Kind): string {
    return `${this.root}/${namespace}/${type}/`;
  }

  of(key: Key): string {
    return `${this.ofKind(key)}${key.id}`;
  }

  /** @throws {StateError} `ERR_STATE_CORRUPT` for what {@link valueOf} did not make. */
  resourceOf(kind: Kind, { key, value }: Entry): Resource {
    const { namespace, type } = kind;
    const id = this.idOf(kind, key);
    try {
      const { spec, ...metadata } = decodeJson(Buffer.from(value).toString()) as Stored;
      if (typeof metadata.version !== 'number' || spec === undefined) throw new SyntaxError('no resource');
      return { metadata: { namespace, type, id, ...metadata }, spec };
    } catch (cause) {
      throw new StateError('ERR_STATE_CORRUPT', `${type}/${id}`, 'what is stored is no resource', { cause });
    }
  }

  idOf(kind: Kind, key: Uint8Array): string {
    return Buffer.from(key).toString().slice(this.ofKind(kind).length);
  }
}

type Stored = Omit<Resource['metadata'], keyof Key> & { readonly spec: Json };

/** A resource as JSON, without what its key says. */
export function valueOf({ metadata, spec }: Resource): string {
  const { namespace: _namespace, type: _type, id: _id, ...rest } = metadata;
  return encodeJson({ ...rest, spec });
}
