import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

import type { Subject } from '../component.ts';
import { SbomError } from '../errors.ts';
import type { Advisory } from './advisory.ts';
import { type AdvisoryList, readAdvisories } from './list.ts';

/** What is told of a database. */
export type DatabaseFacts = {
  /** When the oldest of its lists was made. */
  readonly built: Date;
  readonly advisories: number;
  /** Size of all lists. */
  readonly listBytes: number;
};

const layout = 2;
const tables = `
  CREATE TABLE facts (layout INTEGER, built TEXT, advisories INTEGER, listBytes INTEGER) STRICT;
  CREATE TEMP TABLE advisories (type TEXT, suite TEXT, package TEXT, body TEXT) STRICT;
  CREATE TABLE packages (type TEXT, suite TEXT, package TEXT, advisories TEXT, PRIMARY KEY (type, suite, package)) STRICT, WITHOUT ROWID;
`;
/** What is said of a package is always read together: one text costs a third of as many as there are vulnerabilities. */
const grouped = `
  INSERT INTO packages SELECT type, suite, package, '[' || group_concat(body, ',' ORDER BY body) || ']'
  FROM advisories GROUP BY type, suite, package
`;

/**
 * Makes a database of lists, in place of one that is there, all at once: who has that open goes on with it. Works for seconds without
 * a pause, so that a service does it in a thread.
 *
 * @param path its directory must be there.
 * @throws {SbomError} with `ERR_SBOM_INVALID` and the field of a list; with `ERR_SBOM_DATABASE` for lists that are not to be believed; the
 *   former database stays.
 */
export function buildDatabase(
  path: string,
  lists: Iterable<AdvisoryList>,
  { now, former }: { readonly now: Date; readonly former?: DatabaseFacts | undefined },
): DatabaseFacts {
  const part = `${path}.part`;
  rmSync(part, { force: true });
  try {
    const facts = fill(part, lists, now);
    assertLikely(facts, former);
    sync(part);
    renameSync(part, path);
    sync(dirname(path));
    return facts;
  } catch (error) {
    rmSync(part, { force: true });
    if (error instanceof SbomError) throw error;
    throw new SbomError('ERR_SBOM_DATABASE', `${path}: can not be written`, { cause: error });
  }
}

function fill(part: string, lists: Iterable<AdvisoryList>, now: Date): DatabaseFacts {
  using database = new DatabaseSync(part);
  // The file is nobody's until it is whole, and then it is synced.
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
  database.exec(tables);
  const insert = database.prepare('INSERT INTO advisories VALUES (?, ?, ?, ?)');
  let [advisories, listBytes, built] = [0, 0, Number.POSITIVE_INFINITY];
  for (const list of lists) {
    built = Math.min(built, list.made.getTime());
    listBytes += list.text.length;
    for (const advisory of readAdvisories(list, now)) {
      insert.run(advisory.type, advisory.suite, advisory.package, JSON.stringify(advisory));
      advisories += 1;
    }
  }
  if (advisories === 0) throw new SbomError('ERR_SBOM_DATABASE', 'the lists have no vulnerability');
  const facts = { built: new Date(built), advisories, listBytes };
  database
    .prepare('INSERT INTO facts VALUES (?, ?, ?, ?)')
    .run(layout, facts.built.toISOString(), advisories, listBytes);
  database.exec(grouped);
  database.exec('COMMIT');
  return facts;
}

const mostGrowth = 10;

/** What is suddenly ten times as much, or a tenth, is another list, or a part of one. */
function assertLikely({ advisories, listBytes }: DatabaseFacts, former: DatabaseFacts | undefined): void {
  if (former === undefined) return;
  if (listBytes > former.listBytes * mostGrowth) unlikely('characters', listBytes, former.listBytes);
  if (advisories > former.advisories * mostGrowth || advisories * mostGrowth < former.advisories)
    unlikely('vulnerabilities', advisories, former.advisories);
}

function unlikely(what: string, now: number, before: number): never {
  throw new SbomError(
    'ERR_SBOM_DATABASE',
    `the lists have ${now} ${what}, and had ${before}: remove the database if that is right`,
  );
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** What is known of vulnerabilities, on a disk. */
export class VulnerabilityDatabase implements Disposable {
  readonly facts: DatabaseFacts;
  readonly #database: DatabaseSync;
  readonly #find: StatementSync;

  private constructor(database: DatabaseSync, facts: DatabaseFacts) {
    this.#database = database;
    this.facts = facts;
    this.#find = database.prepare(
      'SELECT advisories FROM packages WHERE type = ? AND suite = ? AND package = ?',
    );
  }

  /** @throws {SbomError} with `ERR_SBOM_DATABASE` for a file that {@link buildDatabase} has not written, or that is damaged. */
  static open(path: string): VulnerabilityDatabase {
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(path, { readOnly: true });
      const row = database.prepare('SELECT * FROM facts').get();
      if (row === undefined || row['layout'] !== layout)
        throw new SbomError('ERR_SBOM_DATABASE', `${path}: of another layout`);
      return new VulnerabilityDatabase(database, {
        built: new Date(String(row['built'])),
        advisories: Number(row['advisories']),
        listBytes: Number(row['listBytes']),
      });
    } catch (error) {
      database?.close();
      if (error instanceof SbomError) throw error;
      throw new SbomError('ERR_SBOM_DATABASE', `${path}: can not be read`, { cause: error });
    }
  }

  /** What is said of a package, of all its versions. @throws {SbomError} with `ERR_SBOM_DATABASE`. */
  of({ type, suite, name }: Pick<Subject, 'type' | 'suite' | 'name'>): readonly Advisory[] {
    try {
      const found = this.#find.get(type, suite, name);
      return found === undefined ? [] : (JSON.parse(String(found['advisories'])) as readonly Advisory[]);
    } catch (cause) {
      throw new SbomError('ERR_SBOM_DATABASE', 'the database of vulnerabilities can not be read', { cause });
    }
  }

  [Symbol.dispose](): void {
    if (this.#database.isOpen) this.#database.close();
  }
}
