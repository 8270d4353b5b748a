import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { flock, LOCK_EX } from '@nodecore/sys';

import { cacheDirectory, checkout } from './paths.ts';
import { run } from './run.ts';

/** Sources of PID 1 and of what belongs to it, and of what keeps services. */
const native = join(checkout, 'native');

const flags = ['-std=c++23', '-Wall', '-Wextra', '-Werror', '-fno-exceptions', '-fno-rtti'];
/** A program that needs no library, the same wherever it is built. */
const released = ['-Os', '-static', '-s', '-ffunction-sections', '-fdata-sections'];
const linked = ['-Wl,--gc-sections,--build-id=none'];

/** What is no part of PID 1. */
const foreign: readonly string[] = ['tether.cc', 'test.cc', 'supervised.cc'];

/** What is no part of its test, which runs on any machine: what mounts, loads modules, and ends a machine. */
const untested: readonly string[] = [
  'ending.cc',
  'fatal.cc',
  'main.cc',
  'modules.cc',
  'mounts.cc',
  'network.cc',
  'reason.cc',
  'root.cc',
  'tether.cc',
];

/** A program that is made of the sources of PID 1, or of what keeps services. */
export type FirstProgram = 'init' | 'keeper' | 'tether' | 'test';

/**
 * Compiles PID 1 of the node OS, the program that tethers others to the agent, the one that keeps services, or the programs that test
 * PID 1's pieces; once per content.
 *
 * @returns the path of the program.
 * @throws {BuildError} `ERR_BUILD_PROGRAM` with what the compiler says.
 */
export function firstProgram(name: FirstProgram): Promise<string> {
  const program = made.get(name) ?? make(name);
  made.set(name, program);
  return program;
}

const made = new Map<FirstProgram, Promise<string>>();

async function make(name: FirstProgram): Promise<string> {
  const sources = join(native, name === 'keeper' ? 'keeper' : 'init');
  const all = (await readdir(sources)).filter((file) => /\.(cc|h)$/.test(file)).sort();
  const files = all.filter((file) => file.endsWith('.cc') && belongsTo(name, file));
  const words = [...flags, ...(name === 'test' ? ['-O0'] : [...released, ...linked])];
  const hash = createHash('sha256').update(JSON.stringify([words, files]));
  for (const file of all) hash.update(`\0${file}\0`).update(await readFile(join(sources, file)));
  const directory = join(cacheDirectory, 'native-init');
  const program = join(directory, `${name}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(program)) return program;
  await mkdir(directory, { recursive: true });
  await using lock = await open(join(directory, 'lock'), 'w', 0o600);
  await flock(lock.fd, LOCK_EX); // several test processes may need it at the same time
  if (existsSync(program)) return program;
  const part = `${program}.part`;
  await run('g++', [...words, '-o', part, ...files], sources);
  await rename(part, program);
  return program;
}

function belongsTo(name: FirstProgram, file: string): boolean {
  if (name === 'keeper') return true;
  if (name === 'tether') return file === 'tether.cc';
  return !(name === 'test' ? untested : foreign).includes(file);
}
