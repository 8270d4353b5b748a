import { isMap, isScalar, Pair, Scalar, YAMLMap, type Node } from 'yaml';

import { valueAt } from '../migrate/fields.ts';
import { isEqual, pairOf } from '../patch/nodes.ts';
import { identityOf, rootIdentity, type SourceDocument, textOf } from '../source.ts';
import { isRefusal, type Legacy, type Move, type Part } from './move.ts';
import { moves } from './moves/all.ts';
import { textOfNode } from './nodes.ts';

/** A document as it counts: as it was written, as fields of the root make it, or both together. */
export type ResolvedDocument = Pick<SourceDocument, 'kind' | 'name' | 'identity' | 'map' | 'offset'> & {
  /** Whether fields of the root are in it. */
  readonly isOfRoot: boolean;
  /** Nothing is said of it, also when it is none. */
  readonly isQuiet: boolean;
};

/** What became of the fields of a move that are there. */
export type MoveOutcome = {
  readonly move: Move;
  /** Those of its fields that are there. */
  readonly present: readonly string[];
  readonly parts: readonly Part[];
  /** Why they stay what they are: fields of the root. */
  readonly why?: string;
  /** Fields of the root beside a document that says the same. */
  readonly isConflict: boolean;
};

export type Resolution = {
  readonly documents: readonly ResolvedDocument[];
  readonly outcomes: readonly MoveOutcome[];
};

/** What moves see of a root and the documents beside it. */
export function legacyOf(
  root: YAMLMap,
  documents: readonly Pick<SourceDocument, 'identity' | 'map'>[],
): Legacy {
  const type = textOfNode(valueAt(root, 'machine.type'));
  return {
    at: (path) => valueAt(root, path),
    of: (identity, path) => {
      const document = documents.find((one) => one.identity === identity);
      return document && valueAt(document.map, path);
    },
    isControlPlane: type === undefined ? undefined : type === 'controlplane' || type === 'init',
  };
}

/**
 * The documents that a configuration comes to: fields of the root that documents have replaced are documents here. The root itself
 * stays as it is. `isRight` says whether a field has no problem of its own.
 */
export function resolve(
  documents: readonly SourceDocument[],
  isRight: (value: Node) => boolean = () => true,
  all: readonly Move[] = moves,
): Resolution {
  const root = documents.find(({ identity }) => identity === rootIdentity);
  const plain = documents.map((document) => ({ ...document, isOfRoot: false, isQuiet: false }));
  if (root === undefined) return { documents: plain, outcomes: [] };
  const legacy = legacyOf(root.map, documents);
  const whole = new Resolved(plain);
  const outcomes: MoveOutcome[] = [];
  for (const move of all) {
    const present = move.from.filter((path) => legacy.at(path) !== undefined);
    if (present.length === 0) continue;
    const outcome = (more: Partial<MoveOutcome>): void => {
      outcomes.push({ move, present, parts: [], isConflict: false, ...more });
    };
    if (!present.every((path) => isRight(legacy.at(path) as Node))) continue;
    if (move.only === 'controlplane' && legacy.isControlPlane !== true) {
      outcome({ why: 'only a control plane has it' });
      continue;
    }
    const parts = move.parts(legacy);
    if (isRefusal(parts)) outcome({ why: parts.why });
    else outcome({ parts, isConflict: whole.add(parts, move) });
  }
  return { documents: whole.documents, outcomes };
}

/** Documents that parts are added to. */
class Resolved {
  documents: ResolvedDocument[];

  constructor(documents: readonly ResolvedDocument[]) {
    this.documents = [...documents];
  }

  /** @returns whether a document that was written says one of these fields, too. */
  add(parts: readonly Part[], { merges = false, quiet = false }: Move): boolean {
    let isConflict = false;
    for (const { kind, map } of parts) {
      const name = textOf(map, 'name');
      const identity = identityOf(kind, name);
      const index = this.documents.findIndex((one) => one.identity === identity);
      const present = this.documents[index];
      if (present === undefined) {
        const offset = map.range?.[0] ?? 0;
        this.documents.push({
          kind,
          name,
          identity,
          map: withHead(kind, map),
          offset,
          isOfRoot: true,
          isQuiet: quiet,
        });
        continue;
      }
      const { joined, differs } = join(present.map, map);
      if (differs && !merges) isConflict = true;
      this.documents[index] = { ...present, map: joined, isOfRoot: true };
    }
    return isConflict;
  }
}

function withHead(kind: string, map: YAMLMap): YAMLMap {
  const whole = new YAMLMap();
  whole.items = [
    new Pair(new Scalar('apiVersion'), new Scalar('v1alpha1')),
    new Pair(new Scalar('kind'), new Scalar(kind)),
    ...map.items,
  ];
  if (map.range) whole.range = map.range;
  return whole;
}

/** Two mappings as one, neither of them changed; what the first says stays. */
function join(one: YAMLMap, other: YAMLMap): { readonly joined: YAMLMap; readonly differs: boolean } {
  const joined = new YAMLMap();
  joined.items = [...one.items];
  if (one.range) joined.range = one.range;
  let differs = false;
  for (const pair of other.items as Pair<Node, Node | null>[]) {
    const name = isScalar(pair.key) ? String(pair.key.value) : '';
    const present = pairOf(joined, name);
    if (present === undefined) joined.items.push(pair);
    else if (isMap(present.value) && isMap(pair.value)) {
      const below = join(present.value, pair.value);
      differs ||= below.differs;
      joined.items = joined.items.map((each) =>
        each === present ? new Pair(present.key, below.joined) : each,
      );
    } else if (name !== 'name' && !isEqual(present.value, pair.value)) differs = true;
  }
  return { joined, differs };
}
