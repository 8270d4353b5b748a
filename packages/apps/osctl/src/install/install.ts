import type { Terminal } from '@nodecore/cli';

import { notInstalled } from '../outcome.ts';
import type { GlobalFlags } from '../global-flags.ts';
import { backAgain, eachNode } from '../lifecycle/each-node.ts';
import type { WaitFlags } from '../lifecycle/flags.ts';
import { followRelease } from '../lifecycle/follow-release.ts';
import { requireEntry } from '../lifecycle/require-entry.ts';
import { rebootModes } from '../reboot/reboot.ts';

export type InstallFlags = GlobalFlags &
  WaitFlags & {
    readonly image: string;
    readonly disk: string;
    readonly wipe?: true;
    readonly expectedDigest?: string;
    readonly dryRun?: true;
    readonly force?: true;
    readonly reboot: boolean;
  };

/** Has nodes put a release on a disk, reboot into it, and waits until it is ready. */
export async function install(flags: InstallFlags, terminal: Terminal): Promise<void> {
  const { image, disk, dryRun = false } = flags;
  const waits = flags.reboot && !dryRun;
  await eachNode({ ...flags, wait: flags.wait && waits }, terminal, async (work) => {
    const { target, signal, tell, leaves } = work;
    const { node, name, client } = target;
    const request = {
      source: { imageName: image },
      destination: { disk },
      expectedDigest: flags.expectedDigest ?? '',
      dryRun,
      force: flags.force === true,
      wipe: flags.wipe === true,
    };
    if (!dryRun) leaves('the node goes on with the installation, and does not reboot by itself');
    const answers = client.install(request, { node, signal });
    const { exitCode, entry, version, message } = await followRelease(name, answers, tell);
    if (exitCode !== 0) throw notInstalled(name, message, exitCode);
    if (dryRun) return { words: message, state: 'checked', version, entry };
    if (!flags.reboot)
      return { words: `${version} is on ${disk}; the next boot starts it`, state: 'written', version, entry };
    const { actorId } = await client.reboot({ mode: rebootModes.default }, { node, signal });
    tell(name, `reboots into ${version}`);
    leaves('the node goes on by itself: osctl get bootedentry says what runs');
    const back = await backAgain(work, { actorId, otherwise: `reboots into ${version}` });
    // A machine may start from the medium again that it was installed from.
    if (work.wait !== undefined) await requireEntry(target, { entry, version, signal });
    return { ...back, words: `${back.words}: ${version}`, version, entry };
  });
}
