import type { InTurn } from './objects/shared-objects.ts';
import { Postgres } from './postgres/postgres.ts';
import type { PostgresOptions } from './postgres/postgres-options.ts';
import { PostgresSchematics } from './schematics/postgres-schematics.ts';
import type { SchematicRegistryOptions } from './schematics/registry-options.ts';
import { RegistrySchematics } from './schematics/registry-schematics.ts';
import type { SchematicStore } from './schematics/schematic-store.ts';
import { SqliteSchematics } from './schematics/sqlite-schematics.ts';
import { PostgresTokenRecords } from './tokens/postgres-token-records.ts';
import { SqliteTokenRecords } from './tokens/sqlite-token-records.ts';
import type { TokenRecords } from './tokens/token-records.ts';

/** Schematics and tokens, in files of this factory alone or where it shares them with others. */
export type Records = AsyncDisposable & {
  readonly schematics: SchematicStore;
  /** Made at their first use. */
  readonly tokens: () => Promise<TokenRecords>;
  /** What they are in, when it is that. */
  readonly database: Postgres | undefined;
  /** Does something while no other factory that shares them does it for the same name. */
  readonly inTurn: InTurn;
  /** Whether they could be read now. */
  readonly isAnswering: () => Promise<boolean>;
};

/** Where records are that factories share. */
export type SharedRecords = {
  /** Schematics and tokens. */
  readonly postgres?: PostgresOptions | undefined;
  /** Schematics; they are then not in the database. */
  readonly schematicRegistry?: SchematicRegistryOptions | undefined;
};

/**
 * @param directory for the files of a factory alone.
 * @param warn told what the end waits for.
 * @throws {FactoryError} with `ERR_FACTORY_SETUP`.
 */
export async function openRecords(
  directory: string,
  shared: SharedRecords = {},
  warn: (line: string) => void = console.error,
): Promise<Records> {
  const { postgres, schematicRegistry } = shared;
  await using open = new AsyncDisposableStack();
  const database = postgres && open.use(await Postgres.open(postgres, { warn }));
  const registry = schematicRegistry && open.use(await RegistrySchematics.open(schematicRegistry));
  const schematics =
    registry ??
    open.use(database ? new PostgresSchematics(database) : await SqliteSchematics.open(directory));
  const owned = open.move();
  return {
    schematics,
    database,
    tokens: async () =>
      owned.use(database ? new PostgresTokenRecords(database) : await SqliteTokenRecords.open(directory)),
    inTurn: async (name, work) => await (database ? database.inTurn(name, work) : work()),
    isAnswering: async () => {
      const answers = await Promise.all([database?.isAnswering(), registry?.isAnswering()]);
      return !answers.includes(false);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
