import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { BuildError } from './errors.ts';

const maxOutputBytes = 64 * 1024 * 1024;

/** Texts must not depend on who builds: no language, no time zone, and the programs of administrators in the path. */
const environment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/**
 * Runs a program of the build to its end.
 *
 * @throws {BuildError} `ERR_BUILD_PROGRAM` with the end of what it printed.
 */
export async function run(
  program: string,
  argv: readonly string[],
  cwd?: string,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const options = { env: environment, maxBuffer: maxOutputBytes, ...(cwd !== undefined && { cwd }) };
  try {
    return await promisify(execFile)(program, argv, options);
  } catch (cause) {
    const { stderr = '' } = cause as { stderr?: string };
    const words = stderr.trim().split('\n').slice(-5).join('\n') || String(cause);
    throw new BuildError('ERR_BUILD_PROGRAM', `${program}: ${words}`, { cause });
  }
}
