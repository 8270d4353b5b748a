import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { codeOf } from '@nodecore/sys';

import { HostError, type HostErrorCode } from './errors.ts';

const run = promisify(execFile);

/** A module of the running kernel. */
export type ModuleState = {
  /** As the kernel has it, with `_`. */
  readonly name: string;
  readonly state: 'live' | 'loading' | 'unloading' | 'builtin';
  /** In memory; undefined for one that is built in. */
  readonly sizeBytes: number | undefined;
  /** How many use it; undefined for one that is built in. */
  readonly references: number | undefined;
  /** The modules that use it. */
  readonly users: readonly string[];
};

/** Names that differ in `-` and `_` alone are one module. @throws {HostError} `ERR_HOST_NAME` */
export function moduleName(name: string): string {
  if (!/^[a-zA-Z0-9_][a-zA-Z0-9_-]{0,55}$/u.test(name))
    throw new HostError('ERR_HOST_NAME', name, 'is no name of a module');
  return name.replaceAll('-', '_');
}

/** `/proc/modules`: `xfs 2400256 1 - Live 0x0000000000000000`. */
export function parseModules(text: string): ModuleState[] {
  const states = { Live: 'live', Loading: 'loading', Unloading: 'unloading' } as const;
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', size, references, users = '-', state = 'Live'] = line.split(' ');
      return {
        name,
        state: states[state as keyof typeof states] ?? 'live',
        sizeBytes: Number(size),
        references: Number(references),
        users: users.split(',').filter((user) => user !== '' && user !== '-'),
      };
    });
}

/** `modules.builtin`: paths of modules that the kernel has in itself. */
export function parseBuiltin(text: string): ModuleState[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({
      name: (line.split('/').at(-1) ?? '').replace(/\.ko$/u, '').replaceAll('-', '_'),
      state: 'builtin',
      sizeBytes: undefined,
      references: undefined,
      users: [],
    }));
}

export type KernelModulesOptions = {
  /** `/proc/modules` */
  readonly loaded?: string;
  /** The directory of the running kernel, `/lib/modules/VERSION`. */
  readonly directory?: string;
  /** Runs modprobe with these arguments; rejects with its error text as `stderr`. */
  readonly modprobe?: (words: readonly string[], signal?: AbortSignal) => Promise<unknown>;
};

/** The modules of the running kernel. Nothing is ever unloaded: who else uses one is not to be known. */
export class KernelModules {
  readonly #options: Required<KernelModulesOptions>;

  constructor(options: KernelModulesOptions = {}) {
    this.#options = {
      loaded: '/proc/modules',
      directory: join('/lib/modules', release()),
      modprobe: async (words, signal) =>
        await run('modprobe', words, { timeout: 60_000, ...(signal && { signal }) }),
      ...options,
    };
  }

  /** Loaded ones and those that are built in, by name. A kernel without a list of the latter has none of them. */
  async list(): Promise<ReadonlyMap<string, ModuleState>> {
    const { loaded, directory } = this.#options;
    const builtin = parseBuiltin(await textOf(join(directory, 'modules.builtin')));
    const states = [...builtin, ...parseModules(await textOf(loaded))];
    return new Map(states.sort((a, b) => (a.name < b.name ? -1 : 1)).map((state) => [state.name, state]));
  }

  /**
   * Loads it with what it needs. Parameters are for one that is not loaded yet; of one that is nothing changes. Needs root.
   *
   * @throws {HostError} with what modprobe said.
   */
  async load(name: string, parameters: readonly string[] = [], signal?: AbortSignal): Promise<void> {
    const module = moduleName(name);
    if ((await this.list()).has(module)) return;
    try {
      // A blacklist is for what devices ask for by themselves; somebody asks for this one.
      await this.#options.modprobe(['--', module, ...parameters], signal);
    } catch (error) {
      if (signal?.aborted) throw error;
      throw failure(module, error);
    }
  }
}

function failure(module: string, error: unknown): HostError {
  if (codeOf(error) === 'ENOENT')
    return new HostError('ERR_HOST_NOT_FOUND', module, 'there is no modprobe here');
  const { stderr = '' } = error as { readonly stderr?: string };
  const line = stderr.trim().split('\n').at(-1) ?? '';
  const text = line.replace(/^modprobe: (?:FATAL|ERROR): /u, '');
  const made = (code: HostErrorCode, message: string): HostError =>
    new HostError(code, module, message, { cause: error });
  // The words of kmod(8), which says nothing by its exit code.
  if (text.includes('not found in directory'))
    return made('ERR_HOST_NOT_FOUND', 'this kernel has no such module');
  if (/Key was rejected by service|Required key not available/u.test(text))
    return made(
      'ERR_HOST_DENIED',
      'no key that the kernel trusts has signed it; the kernel takes signed modules only',
    );
  if (text.includes('Operation not permitted'))
    return made('ERR_HOST_DENIED', 'modules can not be loaded here');
  if (text.includes('Invalid argument') || text.includes('Unknown symbol'))
    return made('ERR_HOST_VALUE', `${text}; dmesg says more`);
  return made('ERR_HOST_FAILED', text === '' ? 'modprobe fails' : text);
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}
