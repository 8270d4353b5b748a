import { type DocumentKind } from '../document.ts';
import { descriptionOf, type Values } from '../kind/kinds.ts';
import { type MachineRoot } from '../types.ts';
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
  readonly #byKind: ReadonlyMap<string, readonly ReadDocument[]>;

  constructor(all: readonly ReadDocument[]) {
    this.all = all;
    this.#byKind = Map.groupBy(all, ({ kind }) => kind);
  }

  /** Undefined in a partial configuration, or when the root document has problems. */
  get machineType(): MachineRoot['type'] | undefined {
    return this.one('machine')?.value.type;
  }

  of<Kind extends keyof Values>(kind: Kind): readonly ReadDocument<Values[Kind]>[] {
    return (this.#byKind.get(kind) ?? []) as readonly ReadDocument<Values[Kind]>[];
  }

  /** Reports what a document lacks beside it; of a partial configuration, whose rest may lie elsewhere, it only warns. */
  lacks(at: Place, code: string, message: string): void {
    if (this.machineType === undefined) at.warning(code, message);
    else at.problem(code, message);
  }

  /** The document of a kind that there is one of. */
  one<Kind extends keyof Values>(kind: Kind): ReadDocument<Values[Kind]> | undefined {
    return this.of(kind)[0];
  }
}

/** The description of a kind. */
export function kindOf({ kind }: ReadDocument): DocumentKind<string, unknown> | undefined {
  return descriptionOf(kind);
}
