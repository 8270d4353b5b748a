import { execFile } from 'node:child_process';

import { LanError } from './errors.ts';

/**
 * The output of a program that must succeed.
 *
 * @throws {LanError} `ERR_LAN_COMMAND` with what it said.
 */
export function run(argv: readonly string[]): Promise<string> {
  const [program = '', ...words] = argv;
  // Root's programs are not in everybody's path, and messages are compared in one language.
  const env = { ...process.env, LC_ALL: 'C', PATH: `${process.env['PATH']}:/usr/sbin:/sbin` };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile(program, words, { env }, (error, stdout, stderr) => {
    if (error === null) return resolve(stdout);
    const said = stderr.trim() === '' ? error.message : stderr.trim();
    reject(new LanError('ERR_LAN_COMMAND', `${argv.join(' ')}: ${said}`, { cause: error }));
  });
  return promise;
}
