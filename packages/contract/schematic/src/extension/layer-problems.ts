import { allowedPaths } from './allowed-paths.ts';

/** A file of a layer, as its directory or its filesystem has it. */
export type LayerFile = {
  /** Absolute in the root: `/usr/local/bin/tool`. */
  readonly path: string;
  /** `other`: devices, sockets and pipes. A device of number 0:0 would take a file of the base away. */
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  /** The lower 12 bits. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
};

/** What the base has, by path. */
export type BaseFiles = ReadonlyMap<string, LayerFile['kind']>;

const setIds = 0o6000;
const worldWritable = 0o002;

/**
 * Why a layer is not laid over the base, a line for each file; empty when all is well. The layer changes nothing of the base: it has
 * files of its own, in places that are meant for it, and none that lets somebody become another user.
 */
export function layerProblems(files: readonly LayerFile[], base: BaseFiles): string[] {
  return files.flatMap((file) => {
    const problem = problemOf(file, base);
    return problem === undefined ? [] : [`${JSON.stringify(file.path)} ${problem}`];
  });
}

function problemOf({ path, kind, mode, uid, gid }: LayerFile, base: BaseFiles): string | undefined {
  if (!isPlain(path)) return 'is no path in a root';
  if (!isAllowed(path) && !(kind === 'directory' && leadsToAllowed(path)))
    return 'is where no extension may have files';
  if (kind === 'other') return 'is no file, directory or link';
  if (uid !== 0 || gid !== 0) return `belongs to ${uid}:${gid}, and not to root`;
  if ((mode & setIds) !== 0) return 'changes who runs it (set-user-ID or set-group-ID)';
  if (kind !== 'link' && (mode & worldWritable) !== 0) return 'may be written by everybody';
  const hidden = [...ancestorsOf(path), path].find((each) => {
    const there = base.get(each);
    const isDirectory = each !== path || kind === 'directory';
    return there !== undefined && !(there === 'directory' && isDirectory);
  });
  return hidden === undefined ? undefined : `would hide ${hidden} of the base`;
}

/** Absolute, without `.`, `..`, empty parts, and what a terminal or a list of names would not show as it is. */
function isPlain(path: string): boolean {
  if (path === '/') return true;
  if (path.length > 1024 || !/^(?:\/[^/\p{Control}\\]+)+$/u.test(path)) return false;
  return !path.split('/').some((part) => part === '.' || part === '..');
}

function isAllowed(path: string): boolean {
  return allowedPaths.some((allowed) => path === allowed || path.startsWith(`${allowed}/`));
}

function leadsToAllowed(path: string): boolean {
  return path === '/' || allowedPaths.some((allowed) => allowed.startsWith(`${path}/`));
}

function ancestorsOf(path: string): string[] {
  const parts = path.split('/').slice(1, -1);
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
}
