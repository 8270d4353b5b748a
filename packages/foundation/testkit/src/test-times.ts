import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { FileNote } from './notes.ts';

export type FileRecord = Omit<FileNote, 'file'>;

/** What fresh clones begin with. */
const seed = 'packages/foundation/testkit/test-times.json';
const local = '.cache/test-times.json';

/** How long each test file took when it last ran here, and what it needs; kept between runs. */
export class TestTimes {
  readonly #checkout: string;
  readonly #records: Map<string, FileRecord>;

  private constructor(checkout: string, records: Map<string, FileRecord>) {
    this.#checkout = checkout;
    this.#records = records;
  }

  /** Reads the checkout's records; those of this machine count more than those that are committed. */
  static read(checkout: string): TestTimes {
    const known = [seed, local].flatMap((path) => Object.entries(records(join(checkout, path))));
    return new TestTimes(checkout, new Map(known));
  }

  /** Undefined of a file that has not run yet. */
  of(file: string): FileRecord | undefined {
    return this.#records.get(keyOf(file));
  }

  /** Seconds that a file takes, or `otherwise`. */
  seconds(file: string, otherwise: number): number {
    return this.of(file)?.seconds ?? otherwise;
  }

  /** Remembers a run. What a file once needed it still does: alone, it shows less of that than among others. */
  add({ file, seconds, needs = this.of(file)?.needs }: FileNote): void {
    const rounded = Math.max(0.01, Number(seconds.toPrecision(2)));
    this.#records.set(keyOf(file), needs === undefined ? { seconds: rounded } : { seconds: rounded, needs });
  }

  /**
   * Writes the records of `files`; those of files that are gone are forgotten.
   *
   * @param where `local` for this machine, `seed` for what is committed.
   */
  save(where: 'local' | 'seed', files: readonly string[]): void {
    const lines = files.flatMap((file) => {
      const record = this.of(file);
      return record === undefined ? [] : [`  ${JSON.stringify(keyOf(file))}: ${inline(record)}`];
    });
    const path = join(this.#checkout, where === 'seed' ? seed : local);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `{\n${lines.sort().join(',\n')}\n}\n`);
  }
}

/** The same for a package that moves to another area: `luks/header.test.ts`. */
function keyOf(file: string): string {
  return file.replace(/^packages\/[^/]+\//, '').replace('/test/', '/');
}

/** As the formatter of the project writes it. */
function inline({ seconds, needs }: FileRecord): string {
  return needs === undefined
    ? `{ "seconds": ${seconds} }`
    : `{ "seconds": ${seconds}, "needs": ${JSON.stringify(needs)} }`;
}

function records(path: string): Readonly<Record<string, FileRecord>> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, FileRecord>;
  } catch {
    return {}; // none yet, or one that a killed run left half: it is only worth time
  }
}
