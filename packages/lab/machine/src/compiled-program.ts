import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const flags = ['-std=c17', '-O2', '-Wall', '-Wextra', '-Werror', '-static'];

/** Compiles a C program of one file into `directory`, once per content. @returns the path of the program. */
export async function compiledProgram(source: string, directory: string): Promise<string> {
  const hash = createHash('sha256')
    .update(await readFile(source))
    .update(flags.join(' '))
    .digest('hex');
  const program = join(directory, `${basename(source, '.c')}-${hash.slice(0, 16)}`);
  if (!existsSync(program)) {
    await mkdir(directory, { recursive: true });
    const part = `${program}.${process.pid}.part`; // several test processes may compile at the same time
    await promisify(execFile)('cc', [...flags, '-o', part, source]);
    await rename(part, program);
  }
  return program;
}
