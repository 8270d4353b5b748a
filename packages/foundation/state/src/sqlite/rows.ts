import type { DatabaseSync } from 'node:sqlite';

import type { Key, Metadata, Resource } from '../resource.ts';
import type { Change } from '../seen.ts';
import { StateError } from '../state-error.ts';
import { fromRow, plainColumns, type ResourceColumns, type ResourceRow, withLabels } from './row.ts';
import { isSealed, type Place, Seal } from './seal.ts';
import { includesType, readSealRecord, type Sealing } from './sealing.ts';

/** How resources are stored: as they are, or sealed where their type is. */
export class Rows {
  readonly #seal: Seal | undefined;
  readonly #types: Sealing['types'];

  /** @param seal of the types. */
  constructor(seal?: Seal, types: Sealing['types'] = []) {
    this.#seal = seal;
    this.#types = types;
  }

  /** For a file that is open: its own record says what is sealed. */
  static of(database: DatabaseSync, path: string, sealing: Sealing | undefined): Rows {
    const record = readSealRecord(database, path);
    const key = sealing?.keys[0];
    return record === undefined || key === undefined ? new Rows() : new Rows(new Seal(key), record.types);
  }

  /** The id by which a resource is found in the file. */
  idOf({ namespace, type, id }: Key): string {
    return this.#sealOf(type)?.name(namespace, type, id) ?? id;
  }

  toColumns(resource: Resource): ResourceColumns {
    const columns = plainColumns(resource);
    const [namespace, type, id, version, ...rest] = columns;
    const seal = this.#sealOf(type);
    if (seal === undefined) return columns;
    const name = seal.name(namespace, type, id);
    const place: Place = { namespace, type, id: name, version, part: 'resource' };
    return [namespace, type, name, version, '', '', '', seal.seal(place, JSON.stringify([id, ...rest]))];
  }

  /** @throws {StateError} `ERR_STATE_CORRUPT` when it is not what {@link toColumns} makes. */
  fromRow(row: ResourceRow): Resource {
    const seal = this.#sealOf(row.type);
    if (seal === undefined) return fromRow(row);
    const text = open(seal, { ...row, part: 'resource' }, row.spec);
    const [id = '', phase = '', owner = '', meta = '', spec = ''] = JSON.parse(text) as string[];
    return fromRow({ ...row, id, phase, owner, meta, spec });
  }

  /** The column of a change that has the labels of before. */
  labelsBefore({ previous, resource: { metadata }, revision }: Change): string | null {
    if (previous === undefined) return null;
    const text = JSON.stringify(previous.metadata.labels);
    return this.#sealOf(metadata.type)?.seal(this.#placeOfLabels(metadata, revision), text) ?? text;
  }

  /** The resource with the labels that the column has. */
  previous(resource: Resource, column: string, revision: number): Resource {
    const seal = this.#sealOf(resource.metadata.type);
    const place = this.#placeOfLabels(resource.metadata, revision);
    return withLabels(resource, seal === undefined ? column : open(seal, place, column));
  }

  #placeOfLabels(metadata: Metadata, revision: number): Place {
    const { namespace, type, version } = metadata;
    return { namespace, type, id: this.idOf(metadata), version, part: `labels before ${revision}` };
  }

  #sealOf(type: string): Seal | undefined {
    return includesType(this.#types, type) ? this.#seal : undefined;
  }
}

/** What is not sealed is refused as well: it was put there by somebody without the key. */
function open(seal: Seal, place: Place, text: string): string {
  try {
    return seal.open(place, text);
  } catch (error) {
    const why = isSealed(text) ? 'damaged, or not of this place' : 'not sealed';
    throw new StateError('ERR_STATE_CORRUPT', `${place.type}/${place.id}`, `what is stored is ${why}`, {
      cause: error,
    });
  }
}
