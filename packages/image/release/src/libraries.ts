import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { readElf } from './elf.ts';
import { BuildError } from './errors.ts';

/** Where the dynamic linker of Debian looks. */
const directories = ['/lib/x86_64-linux-gnu', '/usr/lib/x86_64-linux-gnu', '/lib64', '/usr/lib'];

/**
 * Every library that these files need, what those need, and the dynamic linker: by soname, with the file that has it here.
 *
 * @param roots programs and libraries; files that are no ELF need nothing.
 * @param loaded sonames that are loaded by name when the system runs (dlopen), which no file tells.
 * @throws {BuildError} `ERR_BUILD_MISSING` with the soname and who needs it.
 */
export async function librariesOf(
  roots: readonly string[],
  loaded: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const pending = roots.map((file) => ({ file }));
  const add = (soname: string, who: string): void => {
    if (found.has(soname)) return;
    const file = directories.map((directory) => join(directory, soname)).find((path) => existsSync(path));
    if (file === undefined)
      throw new BuildError('ERR_BUILD_MISSING', `${soname} is not on this machine; ${who} needs it`);
    found.set(soname, file);
    pending.push({ file });
  };
  for (const soname of loaded) add(soname, 'the agent');
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const elf = await readElf(next.file);
    for (const soname of elf?.needed ?? []) add(soname, next.file);
    const linker = elf?.interpreter?.split('/').at(-1);
    if (linker !== undefined) add(linker, next.file);
  }
  return found;
}
