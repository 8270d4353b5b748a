import { type DocumentKind } from '../document.ts';
import { kinds, type Values } from '../kind/kinds.ts';
import { type Place } from '../place.ts';

/** A document that was read, with its place for findings. */
export type ReadDocument<Value = unknown> = {
  readonly kind: string;
  readonly identity: string;
  readonly value: Value;
  readonly at: Place;
};

/** What rules over several documents look at: those that are right by themselves, and what the root document says. */
export class Documents {
  readonly all: readonly ReadDocument[];
  /** Undefined in a partial configuration, or when the root document has problems. */
  readonly machineType: 'controlplane' | 'worker' | undefined;

  constructor(all: readonly ReadDocument[], machineType: Documents['machineType']) {
    this.all = all;
    this.machineType = machineType;
  }

  of<Kind extends keyof Values>(kind: Kind): readonly ReadDocument<Values[Kind]>[] {
    return this.all.filter((one) => one.kind === kind) as ReadDocument<Values[Kind]>[];
  }

  /** The document of a kind that there is one of. */
  one<Kind extends keyof Values>(kind: Kind): ReadDocument<Values[Kind]> | undefined {
    return this.of(kind)[0];
  }
}

/** The description of a kind. */
export function kindOf({ kind }: ReadDocument): DocumentKind<string, unknown> | undefined {
  return kinds.get(kind);
}
