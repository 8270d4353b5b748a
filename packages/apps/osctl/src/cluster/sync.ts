import { printFound, readFormat, type Terminal } from '@nodecore/cli';
import { syncKernel } from '@nodecore/clusters';

import { directoryOf, type PlaceFlags } from './place.ts';

/** The flags of `osctl cluster sync`. */
export type SyncFlags = PlaceFlags & {
  readonly vmlinuzPath: string;
  readonly initrdPath: string;
  readonly output: string;
};

/** Brings the kernel of a cluster, and its first filesystem, up to date; its machines start from them the next time. */
export async function sync(flags: SyncFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output); // before anything is changed
  const [kernel, initrd] = [flags.vmlinuzPath, flags.initrdPath].map((path) =>
    path.replaceAll('${ARCH}', 'amd64'),
  ) as [string, string];
  const changed = await syncKernel(directoryOf(flags, terminal), { kernel, initrd });
  const text = (['kernel', 'initrd'] as const)
    .map((name) => `${name} ${changed[name] ? 'synced' : 'already up to date'}`)
    .join('\n');
  await printFound(terminal, format, [changed], { single: true, text: () => `${text}\n` });
}
