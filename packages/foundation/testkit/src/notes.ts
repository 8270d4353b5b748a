import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** What is known of a test file after it ran. */
export type FileNote = {
  /** Relative to the checkout. */
  readonly file: string;
  readonly seconds: number;
  /** Why it can't share its process with other files. */
  readonly needs?: string;
};

/** Tells the test command about a file, from the process that ran it; nobody is told outside of a run. */
export function noteFile(note: FileNote): void {
  const path = process.env['NODECORE_TEST_NOTES'];
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(note)}\n`);
}

/** The notes in a file; none where nobody wrote one. */
export function notesOf(path: string): FileNote[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as FileNote);
}
