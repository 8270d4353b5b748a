import type { Postgres } from '../postgres/postgres.ts';
import type { Page, SchematicStore, StoredSchematic } from './schematic-store.ts';

/** Schematics in a database that several factories share, and that somebody else closes. */
export class PostgresSchematics implements SchematicStore {
  readonly #database: Postgres;

  constructor(database: Postgres) {
    this.#database = database;
  }

  async put(id: string, text: string): Promise<boolean> {
    const { count } = await this.#database.query({
      what: 'schematic',
      text: 'INSERT INTO factory_schematics (id, text) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      values: [id, text],
      isRepeatable: true,
    });
    return count === 1;
  }

  async get(id: string): Promise<string | undefined> {
    const { rows } = await this.#database.query({
      what: 'schematic',
      text: 'SELECT text FROM factory_schematics WHERE id = $1',
      values: [id],
      isRepeatable: true,
    });
    const text: unknown = rows[0]?.['text'];
    return typeof text === 'string' ? text : undefined;
  }

  async list(line: string, { after, limit }: Page): Promise<readonly StoredSchematic[]> {
    const { rows } = await this.#database.query({
      what: 'schematic',
      text: `SELECT id, text, created FROM factory_schematics
        WHERE text LIKE 'owner: %' AND split_part(text, E'\\n', 1) = $1 AND id > $2 ORDER BY id LIMIT $3`,
      values: [line, after, limit],
      isRepeatable: true,
    });
    return rows.map(({ id, text, created }) => {
      return { id: String(id), text: String(text), createdAt: new Date(created as Date | string) };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
