import type { InTurn } from './objects/shared-objects.ts';
import { Postgres } from './postgres/postgres.ts';
import type { PostgresOptions } from './postgres/postgres-options.ts';
import { PostgresSchematics } from './schematics/postgres-schematics.ts';
import type { SchematicStore } from './schematics/schematic-store.ts';
import { SqliteSchematics } from './schematics/sqlite-schematics.ts';
import { PostgresTokenRecords } from './tokens/postgres-token-records.ts';
import { SqliteTokenRecords } from './tokens/sqlite-token-records.ts';
import type { TokenRecords } from './tokens/token-records.ts';

/** Schematics and tokens, in files of this factory alone or in a database that it shares with others. */
export type Records = AsyncDisposable & {
  readonly schematics: SchematicStore;
  /** Made at their first use. */
  readonly tokens: () => Promise<TokenRecords>;
  /** Does something while no other factory that shares them does it for the same name. */
  readonly inTurn: InTurn;
  /** Whether they could be read now. */
  readonly isAnswering: () => Promise<boolean>;
};

/**
 * @param directory for the files of a factory alone.
 * @throws {FactoryError} with `ERR_FACTORY_SETUP`.
 */
export async function openRecords(directory: string, postgres?: PostgresOptions): Promise<Records> {
  await using open = new AsyncDisposableStack();
  if (postgres !== undefined) {
    const database = open.use(await Postgres.open(postgres));
    const tokens = new PostgresTokenRecords(database);
    const owned = open.move();
    return {
      schematics: new PostgresSchematics(database),
      tokens: async () => tokens,
      inTurn: (name, work) => database.inTurn(name, work),
      isAnswering: () => database.isAnswering(),
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  }
  const schematics = open.use(await SqliteSchematics.open(directory));
  const owned = open.move();
  return {
    schematics,
    tokens: async () => owned.use(await SqliteTokenRecords.open(directory)),
    inTurn: (_name, work) => work(),
    isAnswering: async () => true,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
