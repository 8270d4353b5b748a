import { ImageError } from '../errors.ts';

/** A module of a kernel, as depmod has found it. */
export type KernelModule = {
  /** Below the kernel's directory: `kernel/fs/btrfs/btrfs.ko`. */
  readonly file: string;
  /** Its place among the modules of the kernel, which says whose turn comes first; null for one that was made elsewhere. */
  readonly rank: number | null;
  /** Files of what it needs, in the order in which they are removed. */
  readonly needs: readonly string[];
  /** Patterns of what it is loaded for, as its maker wrote them. */
  readonly aliases: readonly string[];
  /** What it gives to others. */
  readonly symbols: readonly string[];
  /** Lines of `modules.softdep` and `modules.devname`. */
  readonly softDependencies: readonly string[];
  readonly devices: readonly string[];
};

/** Modules of one kernel that lie in one layer of a root. */
export type ModuleList = {
  /** As `uname -r` says it. */
  readonly kernel: string;
  readonly modules: readonly KernelModule[];
};

/** What depmod writes, by file name. */
export type ModuleTexts = Readonly<
  Record<`modules.${'dep' | 'order' | 'alias' | 'symbols' | 'softdep' | 'devname'}`, string>
>;

/** `kernel/fs/xfs/xfs.ko.xz` is `xfs`; the kernel takes `-` and `_` for the same. */
export function nameOfModule(file: string): string {
  return uncompressed(file).replace(/^.*\//u, '').replace(/\.ko$/u, '').replaceAll('-', '_');
}

function uncompressed(file: string): string {
  return file.replace(/\.(?:xz|zst|gz)$/u, '');
}

/** Reads what depmod has written of the modules for which `wants` says yes to their file. */
export function readModuleList(
  kernel: string,
  texts: ModuleTexts,
  wants: (file: string) => boolean = () => true,
): ModuleList {
  const ranks = new Map(linesOf(texts['modules.order']).map((file, index) => [file, index]));
  const [aliases, symbols] = [byModule(texts['modules.alias']), byModule(texts['modules.symbols'])];
  const softDependencies = byWord(texts['modules.softdep'], 1);
  const devices = byWord(texts['modules.devname'], 0);
  const modules = linesOf(texts['modules.dep']).flatMap((line): KernelModule[] => {
    const [file = '', needs = ''] = line.split(':');
    if (!wants(file)) return [];
    const name = nameOfModule(file);
    return [
      {
        file,
        rank: ranks.get(uncompressed(file)) ?? null,
        needs: needs.split(' ').filter((each) => each !== ''),
        aliases: aliases.get(name) ?? [],
        symbols: (symbols.get(name) ?? []).map((symbol) => symbol.replace(/^symbol:/u, '')),
        softDependencies: softDependencies.get(name) ?? [],
        devices: devices.get(name) ?? [],
      },
    ];
  });
  return { kernel, modules };
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** `alias PATTERN MODULE`: a pattern may have spaces. */
function byModule(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of linesOf(text)) {
    const { pattern = '', name = '' } = /^alias (?<pattern>.*) (?<name>\S+)$/u.exec(line)?.groups ?? {};
    found.set(name, [...(found.get(name) ?? []), pattern]);
  }
  return found;
}

/** Whole lines, by the module that they name at this place. */
function byWord(text: string, place: number): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of linesOf(text)) {
    const name = line.split(' ')[place] ?? '';
    found.set(name, [...(found.get(name) ?? []), line]);
  }
  return found;
}

/** A list as the text of a file. */
export function formatModuleList(list: ModuleList): string {
  return `${JSON.stringify(list)}\n`;
}

/**
 * Reads such a text.
 *
 * @param file names it in errors.
 * @throws {ImageError} `ERR_IMAGE_MODULES`
 */
export function parseModuleList(text: string, file: string): ModuleList {
  const wrong = (): never => {
    throw new ImageError('ERR_IMAGE_MODULES', `${file}: no list of modules`);
  };
  try {
    const list = JSON.parse(text) as Partial<ModuleList> | null;
    if (typeof list?.kernel !== 'string' || !Array.isArray(list.modules)) return wrong();
    return list.modules.every(isModule) ? { kernel: list.kernel, modules: list.modules } : wrong();
  } catch {
    return wrong();
  }
}

function isModule(value: unknown): value is KernelModule {
  if (typeof value !== 'object' || value === null) return false;
  const { file, rank, needs, aliases, symbols, softDependencies, devices } = value as Record<string, unknown>;
  const lists = [needs, aliases, symbols, softDependencies, devices];
  return (
    typeof file === 'string' &&
    (rank === null || Number.isSafeInteger(rank)) &&
    lists.every((list) => Array.isArray(list) && list.every((each) => typeof each === 'string'))
  );
}
