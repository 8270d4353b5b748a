import { execFile } from 'node:child_process';

import { LanError } from './errors.ts';

/**
 * The output of a program that must succeed.
 *
 * @throws {LanError} `ERR_LAN_COMMAND` with what it said.
 */
export async function run(argv: readonly string[]): Promise<string> {
  return await outputOf(argv, argv.join(' '));
}

/**
 * Runs programs one after another, until one fails. A shell starts them: this process is large, and stands still for as long as the kernel
 * takes to fork it.
 *
 * @throws {LanError} `ERR_LAN_COMMAND` with what the one that failed said.
 */
export async function runEach(commands: readonly (readonly string[])[]): Promise<void> {
  let count = 0;
  const lines = commands.map((argv) => argv.map(() => `"\${${(count += 1)}}"`).join(' '));
  const told = commands.map((argv) => argv.join(' ')).join(' && ');
  await outputOf(['sh', '-c', lines.join(' && '), 'sh', ...commands.flat()], told);
}

function outputOf([program = '', ...words]: readonly string[], told: string): Promise<string> {
  // A router's tables are long.
  const maxBuffer = 1 << 28;
  // Root's programs are not in everybody's path, and messages are compared in one language.
  const env = { ...process.env, LC_ALL: 'C', PATH: `${process.env['PATH']}:/usr/sbin:/sbin` };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile(program, words, { env, maxBuffer }, (error, stdout, stderr) => {
    if (error === null) return resolve(stdout);
    const said = stderr.trim() === '' ? error.message : stderr.trim();
    reject(new LanError('ERR_LAN_COMMAND', `${told}: ${said}`, { cause: error }));
  });
  return promise;
}
