import { type Node, type YAMLMap } from 'yaml';

/** Where a field of the root went: a field of a document, or a document for each of its parts. Data of the document's description. */
export type Move = {
  /** `cluster.controlPlane.endpoint`. */
  readonly from: string;
} & (
  | {
      /** Field of the document: `endpoint`, `provisioning.diskSelector.match`. */
      readonly to: string;
      /** How its value is written there; as it stands unless given. */
      readonly as?: (value: Node) => Node;
    }
  | {
      /** Fields of a document for each of its parts, a `name` among them. */
      readonly each: (value: Node) => readonly YAMLMap[];
    }
);

/** The moves to one kind of document. */
export type MovesTo = { readonly kind: string; readonly moves: readonly Move[] };
