import { isAbsolute } from 'node:path';

/** Flags of programs that other systems make networks with, as they were typed. They say nothing to this one. */
export type PluginFlags = {
  readonly cniBinPath: readonly string[];
  readonly cniBundleUrl?: string;
  readonly cniCacheDir?: string;
  readonly cniConfDir?: string;
};

/** What is wrong with the form of these flags goes to `problems`. */
export function checkPluginFlags(flags: PluginFlags, problems: string[]): void {
  const { cniBundleUrl: url } = flags;
  for (const [flag, path] of pathsOf(flags))
    if (!isAbsolute(path)) problems.push(`${flag} ${path}: an absolute path`);
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    problems.push(`--cni-bundle-url: http://… or https://… is expected`);
}

/** What is said about those that were given; undefined: none was. */
export function pluginNote(flags: PluginFlags): string | undefined {
  const given = [
    ...pathsOf(flags).map(([flag]) => flag),
    ...(flags.cniBundleUrl === undefined ? [] : ['--cni-bundle-url']),
  ];
  if (given.length === 0) return undefined;
  return `${[...new Set(given)].join(', ')}: without effect, bridges and taps are made without plugins of CNI`;
}

function pathsOf(flags: PluginFlags): readonly (readonly [flag: string, path: string])[] {
  return [
    ...flags.cniBinPath.map((path) => ['--cni-bin-path', path] as const),
    ...(flags.cniCacheDir === undefined ? [] : [['--cni-cache-dir', flags.cniCacheDir] as const]),
    ...(flags.cniConfDir === undefined ? [] : [['--cni-conf-dir', flags.cniConfDir] as const]),
  ];
}
