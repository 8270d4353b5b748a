import { ImageError } from '../errors.ts';
import { type IndexEntry, moduleIndex } from './index-trie.ts';
import { type KernelModule, type ModuleList, nameOfModule } from './module-list.ts';

/**
 * What depmod would write for all of these together, by file name: modprobe has one list for the whole root, and that of the base would
 * not name the modules of a layer above it.
 *
 * @throws {ImageError} `ERR_IMAGE_KERNEL` for lists of several kernels; `ERR_IMAGE_MODULES` for two modules of one name.
 */
export function moduleLists(lists: readonly ModuleList[]): ReadonlyMap<string, Buffer> {
  const [base, ...others] = lists;
  for (const { kernel } of others)
    if (kernel !== base?.kernel)
      throw new ImageError('ERR_IMAGE_KERNEL', `modules of ${kernel}; the kernel is ${base?.kernel ?? ''}`);
  const modules = lists.flatMap((list) => list.modules).toSorted(byRank);
  const names = modules.map(({ file }) => nameOfModule(file));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new ImageError('ERR_IMAGE_MODULES', `two modules are called ${twice}`);
  const each = <T>(of: (module: KernelModule, name: string, rank: number) => readonly T[]): T[] =>
    modules.flatMap((module, rank) => of(module, names[rank] ?? '', rank));
  const dependencies = modules.map(({ file, needs }) => [`${file}:`, ...needs].join(' '));
  const byName = each((_, key, rank): IndexEntry[] => [{ key, value: dependencies[rank] ?? '', rank }]);
  const aliases = each(({ aliases: all }, value, rank) =>
    all.map((alias): IndexEntry => ({ key: withUnderscores(alias), value, rank })),
  );
  const symbols = each((module, value, rank) =>
    module.symbols.map((symbol): IndexEntry => ({ key: `symbol:${symbol}`, value, rank })),
  );
  const aliasLines = each((module, name) => module.aliases.map((alias) => `alias ${alias} ${name}`));
  const symbolLines = each((module, name) =>
    module.symbols.map((symbol) => `alias symbol:${symbol} ${name}`),
  );
  return new Map([
    ['modules.dep', text(dependencies)],
    ['modules.dep.bin', moduleIndex(byName)],
    ['modules.alias', text(['# Aliases extracted from modules themselves.', ...aliasLines])],
    ['modules.alias.bin', moduleIndex(aliases)],
    ['modules.symbols', text(['# Aliases for symbols, used by symbol_request().', ...symbolLines])],
    ['modules.symbols.bin', moduleIndex(symbols)],
    [
      'modules.softdep',
      text([
        '# Soft dependencies extracted from modules themselves.',
        ...each((module) => module.softDependencies),
      ]),
    ],
    [
      'modules.devname',
      text(['# Device nodes to trigger on-demand module loading.', ...each((module) => module.devices)]),
    ],
  ]);
}

/** Of two drivers for one device the kernel's own order says which comes first; what was made elsewhere comes last. */
function byRank(one: KernelModule, other: KernelModule): number {
  if (one.rank !== null && other.rank !== null) return one.rank - other.rank;
  if (one.rank !== other.rank) return one.rank === null ? 1 : -1;
  return one.file < other.file ? -1 : 1;
}

/** The form in which aliases are looked for: `_` for `-`, but not in a set of characters. */
function withUnderscores(alias: string): string {
  return alias.replaceAll(/\[[^\]]*\]|-/gu, (found) => (found === '-' ? '_' : found));
}

function text(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}
