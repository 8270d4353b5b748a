import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** What is known of a test file after it ran. */
export type FileNote = {
  /** Relative to the checkout. */
  readonly file: string;
  readonly seconds: number;
  /** Why it can't share its process with other files. */
  readonly needs?: string;
};

/** That a test file has begun, and when: milliseconds since 1970. */
export type BeginNote = { readonly begun: string; readonly atMs: number };

/** Tells the test command about a file, from the process that ran it; nobody is told outside of a run. */
export function noteFile(note: FileNote): void {
  write(note);
}

/** Tells the test command that a file begins; nobody is told outside of a run. */
export function noteBegin(file: string): void {
  write({ begun: file, atMs: Date.now() });
}

const beginMark = '# begins ';

/** The line that a process in a machine, which can write no notes, writes to standard error when its test file begins. */
export function beginLine(file: string): string {
  return `${beginMark}${file}\n`;
}

/** The file that such a line names, also behind what another process left of a line; undefined for any other. */
export function fileOfBegin(line: string): string | undefined {
  const at = line.indexOf(beginMark);
  return at < 0 ? undefined : line.slice(at + beginMark.length);
}

function write(note: FileNote | BeginNote): void {
  const path = process.env['NODECORE_TEST_NOTES'];
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(note)}\n`);
}

/** The notes of files that have ended; none where nobody wrote one. */
export function notesOf(path: string): FileNote[] {
  return read(path).filter((note) => 'file' in note);
}

/** The notes of files that have begun, in their order. */
export function beginsIn(path: string): BeginNote[] {
  return read(path).filter((note) => 'begun' in note);
}

function read(path: string): (FileNote | BeginNote)[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as FileNote | BeginNote);
}
