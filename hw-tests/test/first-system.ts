import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import type { CpioEntry } from '@nodecore/image';
import { compiledProgram } from '@nodecore/machine';
import { View } from '@nodecore/view';

import { firstProgram } from '../../packages/image/release/src/first-program.ts';
import { type Kernel, moduleFiles } from '../src/kernel.ts';
import { checkout, rigCache } from '../src/paths.ts';

type FirstSystem = {
  /** That the kernel is given before there is a root. */
  readonly modules: readonly string[];
  /** In place of the agent; none by default. */
  readonly agent?: string;
  /** More programs of the root, by their paths there. */
  readonly programs?: Readonly<Record<string, string>>;
  /** What the root is made of; a layer with those programs unless given. */
  readonly layers?: readonly string[];
};

const root = '/layers/root';
const agentPath = '/usr/lib/nodeos/agent';

/** PID 1 of the node OS, and a root with hardly anything. */
export async function firstSystem(
  kernel: Kernel,
  { modules, agent, programs = {}, layers = [`${root}/`] }: FirstSystem,
): Promise<CpioEntry[]> {
  const inserted = await modulesOf(kernel, modules);
  const files = { ...programs, ...(agent !== undefined && { [agentPath]: agent }) };
  const places = new Set([
    '/dev',
    '/proc',
    '/run',
    '/sys',
    '/tmp',
    '/usr',
    '/var',
    ...Object.keys(files).flatMap(above),
  ]);
  return [
    await file('/init', await firstProgram('init'), 0o755),
    text('/modules.list', inserted.map(({ path }) => `${path}\n`).join('')),
    directory('/modules'),
    ...inserted,
    text('/layers.list', layers.map((layer) => `${layer}\n`).join('')),
    directory('/layers'),
    directory(root),
    ...[...places].toSorted().map((place) => directory(`${root}${place}`)),
    ...(await Promise.all(Object.entries(files).map(([path, from]) => file(`${root}${path}`, from, 0o755)))),
    ...(agent === undefined ? [] : [text(`${root}${agentPath}.arguments`, `${agentPath}\n`)]),
  ];
}

/** A program of `fixtures` that needs no library. */
export const fixture = (name: string): Promise<string> =>
  compiledProgram(join(checkout, `hw-tests/test/fixtures/${name}.c`), rigCache);

/** In the order of their names, which begin with their place. */
export async function modulesOf(kernel: Kernel, names: readonly string[]): Promise<CpioEntry[]> {
  const files = moduleFiles('tiny', kernel, names);
  return await Promise.all(
    files.map((from, index) => file(`/modules/${String(index).padStart(2, '0')}-${basename(from)}`, from)),
  );
}

export async function file(path: string, from: string, mode = 0o644): Promise<CpioEntry> {
  return { kind: 'file', path, mode, content: View.of(await readFile(from)) };
}

export function directory(path: string): CpioEntry {
  return { kind: 'directory', path };
}

function text(path: string, content: string): CpioEntry {
  return { kind: 'file', path, content: View.of(Buffer.from(content)) };
}

/** The directories above a path, below the root. */
function above(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === '/' ? [] : [...above(parent), parent];
}
