import { extname } from 'node:path';

import { compileCacheDirectory } from '@nodecore/sys/compile-cache';

/** A program of this package. */
export type OwnProgram = { readonly argv: readonly string[]; readonly env: NodeJS.ProcessEnv };

/**
 * How Node.js runs a module of this package as a program of its own. What V8 compiles of it is kept for the next time, as a network is not
 * up before it runs: the programs keep it themselves, since they are killed and don't end.
 *
 * @param name of the module, without its extension
 */
export function ownProgram(name: string): OwnProgram {
  const extension = extname(import.meta.filename);
  const program = new URL(`${name}${extension}`, import.meta.url).pathname;
  const conditions = extension === '.ts' ? ['--conditions=source'] : [];
  const { NODE_COMPILE_CACHE: given, ...others } = process.env;
  const cache = given ?? compileCacheDirectory(process.env, process.geteuid?.() ?? -1);
  return {
    argv: [process.execPath, ...conditions, program],
    env: { ...others, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) },
  };
}
