import { readFile } from 'node:fs/promises';

import { ConfigError, decode, formatProblem, parse, type Problem } from '@nodecore/config';
import { codeOf } from '@nodecore/sys';

import { checkAuthority } from './certificates/certificates.ts';

/** Where lines go. */
export type CheckOutput = {
  readonly out: (line: string) => unknown;
  readonly error: (line: string) => unknown;
};

/**
 * Checks a configuration as the agent would before it makes it active, without touching the machine: what it lacks there, such as
 * disks, is not looked at.
 *
 * @param path `-` is standard input.
 * @returns the exit code: 0, or 1 for a configuration or a file that can't be used.
 */
export async function checkConfig(path: string, { out, error }: CheckOutput): Promise<number> {
  const file = path === '-' ? '<stdin>' : path;
  const tell = (problems: readonly Problem[], write: (line: string) => unknown): void => {
    for (const problem of problems) write(printable(formatProblem({ ...problem, file })));
  };
  try {
    const data = await readFile(path === '-' ? '/dev/stdin' : path);
    try {
      using configuration = parse(decode(data, { file }), { file });
      await checkAuthority(configuration);
      tell(configuration.warnings, error);
      out(printable(`${file}: the configuration can be used`));
      return 0;
    } finally {
      data.fill(0); // it holds keys
    }
  } catch (failure) {
    if (failure instanceof ConfigError) tell(failure.problems, error);
    else error(printable(`${file}: ${wordsOf(failure)}`));
    return 1;
  }
}

function wordsOf(failure: unknown): string {
  if (failure instanceof Error && 'syscall' in failure) return `can not be read (${codeOf(failure)})`;
  return failure instanceof Error ? failure.message : String(failure);
}

/** A file can hold bytes that move the cursor, and problems name its fields. */
function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the ones
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/gu, '?');
}
