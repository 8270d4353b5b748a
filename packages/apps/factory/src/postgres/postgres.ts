import { type Clock, systemClock, within } from '@nodecore/waiting';
import { type ClientBase, Pool, type QueryConfig, type QueryResultRow } from 'pg';

import { wrong } from '../settings.ts';
import { migrate, turnClass } from './migrations.ts';
import { Connections } from './connections.ts';
import { isLost, placeOf, setupError, storeError } from './postgres-errors.ts';
import {
  type PostgresAddress,
  type PostgresOptions,
  parsePostgresUrl,
  readPassword,
  tlsOf,
} from './postgres-options.ts';

/** How long a connection, and then an answer, may take. */
const connectMs = 5_000;
const answerMs = 10_000;
/** How long who asks whether it is there waits. */
const readyMs = 2_000;
/** How long another factory may take to make what this one waits for. */
const turnMs = 20 * 60_000;
/** How long what has been asked may take when nobody asks any more; the first of it without a word. */
const endMs = 3_000;
const quietMs = 250;
/** Of one factory; PostgreSQL lets in 100 unless it is told otherwise. */
const maxConnections = 10;

/** Whatever the server's own settings are: what was answered survives a power cut there, and nothing waits for ever. */
const session = `SELECT set_config('statement_timeout', '${answerMs}', false),
  set_config('idle_in_transaction_session_timeout', '${answerMs}', false),
  CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', false) END`;

/** A statement, its values, and what it is about. */
export type Statement = {
  /** What is kept there, as `schematic`, for errors. */
  readonly what: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Twice has the same effect as once: when the connection is lost it is asked again, on another one. */
  readonly isRepeatable?: boolean;
  /** What is said of a full disk; that there is no room for another one, unless given. */
  readonly noRoom?: string;
};

/** What its end needs. */
type Ending = {
  readonly clock: Clock;
  /** Told what the end waits for. */
  readonly warn: (line: string) => void;
};

/** A database that several factories share: connections that are made when they are needed. */
export class Postgres implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #connections: Connections;
  readonly #place: string;
  readonly #clock: Clock;
  readonly #warn: (line: string) => void;

  private constructor(
    pool: Pool,
    {
      connections,
      place,
      clock,
      warn,
    }: Ending & { readonly connections: Connections; readonly place: string },
  ) {
    this.#pool = pool;
    this.#connections = connections;
    this.#place = place;
    this.#clock = clock;
    this.#warn = warn;
    // Of a connection that nobody uses: the next one is a new one.
    pool.on('error', ignored);
  }

  /**
   * Connects, and makes the tables or brings them to this version.
   *
   * @throws {FactoryError} with `ERR_FACTORY_SETUP`, naming the key that is wrong, and never a password.
   */
  static async open(
    options: PostgresOptions,
    { clock = systemClock, warn = console.error }: Partial<Ending> = {},
  ): Promise<Postgres> {
    const address = parsePostgresUrl(options.url);
    if (address === undefined)
      throw wrong('storage.postgres.url: must be as postgresql://user@host/database');
    const { passwordPath, caPath } = options;
    if (passwordPath !== undefined) await readPassword(passwordPath);
    const ssl = await tlsOf(address, caPath);
    const connections = new Connections();
    const pool = new Pool({ ...poolOptions(address, passwordPath), ssl, stream: connections.open });
    const database = new Postgres(pool, { connections, place: placeOf(address), clock, warn });
    try {
      await database.#inTransaction(migrate);
      return database;
    } catch (error) {
      await database[Symbol.asyncDispose]();
      throw setupError(error, options, address);
    }
  }

  /** @throws {FactoryError} with `ERR_FACTORY_STORE_FULL` or `ERR_FACTORY_STORE`; then nothing of it is known to have been done. */
  async query(
    statement: Statement,
  ): Promise<{ readonly rows: readonly QueryResultRow[]; readonly count: number }> {
    const { what, text, values = [], isRepeatable = false, noRoom } = statement;
    const ask = async () => await this.#pool.query<QueryResultRow>(text, [...values]);
    try {
      const { rows, rowCount } = await ask().catch(async (error: unknown) => {
        if (!isRepeatable || !isLost(error)) throw error;
        return await ask();
      });
      return { rows, count: rowCount ?? 0 };
    } catch (error) {
      throw storeError(what, error, noRoom);
    }
  }

  /**
   * Does all of it or nothing.
   *
   * @throws {FactoryError} of a store; what `work` throws when that is one.
   */
  async transaction<T>(what: string, work: (client: ClientBase) => Promise<T>): Promise<T> {
    try {
      return await this.#inTransaction(work);
    } catch (error) {
      throw storeError(what, error);
    }
  }

  /**
   * Does something while no other factory of this database does it for the same name; at once when the database does not answer.
   *
   * @param name 64 hex digits.
   */
  async inTurn(name: string, work: () => Promise<void>): Promise<void> {
    const seen = { hasBegun: false, isDone: false };
    try {
      await this.#inTransaction(async (client) => {
        // A turn takes as long as the longest image.
        await client.query('SET LOCAL statement_timeout = 0');
        await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
        const values = [turnClass, Buffer.from(name.slice(0, 8), 'hex').readInt32BE()];
        const text = 'SELECT pg_advisory_xact_lock($1, $2)';
        const question: QueryConfig & { query_timeout: number } = { text, values, query_timeout: turnMs };
        await client.query(question);
        seen.hasBegun = true;
        await work();
        seen.isDone = true;
      });
    } catch (error) {
      // What is done stays done when the database goes meanwhile.
      if (seen.hasBegun && !seen.isDone) throw error;
      if (!seen.hasBegun) await work();
    }
  }

  /** Whether it answers now, and soon. */
  async isAnswering(): Promise<boolean> {
    const answer = this.#pool.query('SELECT 1').then(
      () => true,
      () => false,
    );
    return (await within(systemClock, readyMs, answer))?.value ?? false;
  }

  /** Waits for what was asked, but not for a server that is silent. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#pool.ending) return;
    const ended = Promise.all([this.#pool.end(), this.#connections.closed()]);
    if ((await within(this.#clock, quietMs, ended)) !== undefined) return;
    const place = `storage.postgres.url: ${this.#place}`;
    this.#warn(`${place}: waits up to ${endMs / 1_000} s for ${this.#connections.count} connections to end`);
    if ((await within(this.#clock, endMs, ended)) !== undefined) return;
    this.#warn(`${place}: is silent: ${this.#connections.count} connections are given up`);
    this.#connections.giveUp();
    await ended;
  }

  async #inTransaction<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    // What it is asked next fails by it; unheard it would end the process.
    client.on('error', ignored);
    let broken = true;
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      broken = false;
      return result;
    } catch (error) {
      await client.query('ROLLBACK').then(
        () => (broken = false),
        () => {},
      );
      throw error;
    } finally {
      client.off('error', ignored);
      client.release(broken);
    }
  }
}

const ignored = (): void => {};

function poolOptions(address: PostgresAddress, passwordPath: string | undefined) {
  const { host, port, user, database, password = '' } = address;
  return {
    host,
    port,
    user,
    database,
    // A function in any case: without a password the environment and a file in the home would be looked at.
    password: async () => (passwordPath === undefined ? password : await readPassword(passwordPath)),
    max: maxConnections,
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs + 1_000,
    keepAlive: true,
    application_name: 'nodecore-factory',
    onConnect: async (client: ClientBase): Promise<void> => void (await client.query(session)),
  };
}
