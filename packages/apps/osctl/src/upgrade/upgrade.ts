import type { Terminal } from '@nodecore/cli';

import { notUpgraded } from '../outcome.ts';
import type { GlobalFlags } from '../global-flags.ts';
import { backAgain, eachNode } from '../lifecycle/each-node.ts';
import { followRelease } from '../lifecycle/follow-release.ts';
import type { DrainFlags, WaitFlags } from '../lifecycle/flags.ts';
import { requireEntry } from '../lifecycle/require-entry.ts';
import { type RebootModeWord, rebootModes } from '../reboot/reboot.ts';

export type UpgradeFlags = GlobalFlags &
  WaitFlags &
  DrainFlags & {
    readonly image: string;
    readonly rebootMode: RebootModeWord;
    /** False with `--no-reboot`. */
    readonly reboot?: boolean;
    readonly expectedDigest?: string;
    readonly dryRun?: true;
    readonly force?: true;
  };

/** Has nodes write a release, reboot into it, and waits until it is ready. */
export async function upgrade(flags: UpgradeFlags, terminal: Terminal): Promise<void> {
  const waits = flags.reboot !== false && flags.dryRun !== true;
  await eachNode({ ...flags, wait: flags.wait && waits }, terminal, async (work) => {
    const { target, signal, tell, leaves } = work;
    const { node, name, client } = target;
    const request = {
      source: { imageName: flags.image },
      expectedDigest: flags.expectedDigest ?? '',
      dryRun: flags.dryRun === true,
      force: flags.force === true,
    };
    if (flags.dryRun !== true)
      leaves(
        'the node goes on writing the release, and does not reboot by itself: osctl get bootentries shows it, osctl reboot tries it',
      );
    const { exitCode, ...written } = await followRelease(
      name,
      client.upgrade(request, { node, signal }),
      tell,
    );
    const { entry, version, message } = written;
    if (exitCode !== 0) throw notUpgraded(name, message, exitCode);
    if (flags.dryRun === true) return { words: message, state: 'checked', version, entry };
    if (flags.reboot === false)
      return { words: `has written ${entry}; the next boot tries it`, state: 'written', version, entry };
    const { actorId } = await client.reboot({ mode: rebootModes[flags.rebootMode] }, { node, signal });
    tell(name, `reboots into ${version}`);
    leaves(
      `the node goes on by itself: osctl get bootedentry says whether ${version} runs, osctl get bootentries why not`,
    );
    const back = await backAgain(work, { actorId, otherwise: `reboots into ${version}` });
    if (work.wait !== undefined) await requireEntry(target, { entry, version, signal });
    const words = work.wait === undefined ? back.words : `${back.words}: ${version}`;
    return { ...back, words, version, entry };
  });
}
