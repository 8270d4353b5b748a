import { type Node, type YAMLMap } from 'yaml';

/** Fields of a document that fields of the root come to; its `name` among them, where it has one. */
export type Part = { readonly kind: string; readonly map: YAMLMap };

/** Why fields of the root can not be said by documents. */
export type Refusal = { readonly why: string };

/** What a move looks at. */
export type Legacy = {
  /** A field of the root by its path. */
  readonly at: (path: string) => Node | undefined;
  /** A field of a document that is there. */
  readonly of: (identity: string, path: string) => Node | undefined;
  /** Undefined where the root does not say what the machine is. */
  readonly isControlPlane: boolean | undefined;
};

/** Fields of the root that documents have replaced, and go to them together. */
export type Move = {
  /** Paths in the root: `cluster.controlPlane.endpoint`. */
  readonly from: readonly string[];
  /** The kinds of these documents. */
  readonly into: readonly string[];
  /** The documents, without apiVersion and kind, from fields of which at least one is there. */
  readonly parts: (legacy: Legacy) => readonly Part[] | Refusal;
  /** Where in a document a field goes, for its comment: path by path of the root. */
  readonly places?: Readonly<Record<string, string>>;
  /** A document beside it adds to these fields and wins where both say something; otherwise both together are a problem. */
  readonly merges?: boolean;
  /** Fields that are in daily use: nothing is said of them, and no document comes of what makes none. */
  readonly quiet?: boolean;
  /** On a worker they mean nothing. */
  readonly only?: 'controlplane';
};

/** Whether a move can't be made. */
export function isRefusal(parts: readonly Part[] | Refusal): parts is Refusal {
  return 'why' in parts;
}
