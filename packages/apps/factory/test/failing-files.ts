import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { constants } from 'node:os';

const { open, readFile, stat } = promises;

/**
 * Has the system refuse files: what root is never refused, and what takes a broken disk.
 *
 * @param codeFor a code as `EIO` for a path that is refused.
 */
export function failingFiles(
  codeFor: (path: string) => keyof typeof constants.errno | undefined,
): Disposable {
  const refusing =
    <A extends readonly unknown[], R>(work: (path: string, ...others: A) => Promise<R>, syscall: string) =>
    async (path: string, ...others: A): Promise<R> => {
      const code = codeFor(path);
      if (code === undefined) return await work(path, ...others);
      const error = new Error(`${code}: refused, ${syscall} '${path}'`);
      throw Object.assign(error, { code, errno: -constants.errno[code], syscall, path });
    };
  replace({
    open: refusing(open as (path: string) => Promise<unknown>, 'open'),
    readFile: refusing(readFile as (path: string) => Promise<unknown>, 'open'),
    stat: refusing(stat as (path: string) => Promise<unknown>, 'stat'),
  });
  return { [Symbol.dispose]: () => replace({ open, readFile, stat }) };
}

function replace(functions: object): void {
  Object.assign(promises, functions);
  syncBuiltinESMExports();
}
