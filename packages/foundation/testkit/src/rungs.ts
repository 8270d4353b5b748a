import { globSync } from 'node:fs';

/** The rungs of the ladder, from what runs anywhere to what needs machines. */
export const rungs = ['unit', 'root', 'vm', 'fault'] as const;
export type Rung = (typeof rungs)[number];

/** Where the files of one rung run. */
export type RungFiles = {
  /** On this machine. */
  readonly host: readonly string[];
  /** On this machine, in a network namespace of their own. */
  readonly network: readonly string[];
  /** Inside the virtual node. */
  readonly guest: readonly string[];
};

const patterns = ['packages/*/*/test/**/*.test.ts', 'native/test/**/*.test.ts', 'hw-tests/test/**/*.test.ts'];

/** Every test file below `directory`, relative to it, sorted. */
export function testFiles(directory: string): string[] {
  return globSync(patterns, { cwd: directory }).sort();
}

/**
 * The rung that a file's name puts it on: `open.vm.test.ts` is `vm`, a plain `open.test.ts` is `unit`. One with
 * `netns.root` is `root` in a network namespace of its own.
 */
export function rungOf(file: string): Rung {
  const kind = /\.(root|vm|fault)\.test\.ts$/.exec(file)?.[1];
  return rungs.find((rung) => rung === kind) ?? 'unit';
}

/**
 * The files of a rung that match every word. A word matches a package (`luks`), a part of the path (`open`) or a file.
 * Tests of the rig drive machines from outside; a package's tests of the vm rung run inside one.
 */
export function filesOf(rung: Rung, files: readonly string[], words: readonly string[]): RungFiles {
  const chosen = files.filter((file) => rungOf(file) === rung && words.every((word) => file.includes(word)));
  const inside = (file: string): boolean => rung === 'vm' && file.startsWith('packages/');
  return {
    host: chosen.filter((file) => !inside(file) && !isAlone(file)),
    network: chosen.filter(isAlone),
    guest: chosen.filter(inside),
  };
}

/** Whether a file's name asks for a network namespace of its own. */
function isAlone(file: string): boolean {
  return file.includes('.netns.');
}
