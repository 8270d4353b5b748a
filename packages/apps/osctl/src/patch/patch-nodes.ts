import type { ApplyConfigurationResponse } from '@nodecore/api/machine';
import { readFormat, type Terminal } from '@nodecore/cli';
import { patchConfiguration } from '@nodecore/config';

import { type ApplyFlags, printAnswers, sendConfiguration } from '../configuration/send.ts';
import { inTurn } from '../configuration/turns.ts';
import type { GlobalFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { type Target, Targets } from '../nodes/target.ts';
import { presentConfiguration } from '../configuration/present.ts';
import { readPatches } from '../configuration/read-patches.ts';

export type RemotePatch = ApplyFlags & {
  readonly output: string;
  readonly patches: readonly string[];
  /** To delete what is not there is no problem. */
  readonly ignoreMissing: boolean;
  readonly namespace?: string;
};

/**
 * Patches the configuration of each node by itself. Secrets stay on the node: what is sent has them hidden, and the node puts
 * its own in their place. When others change the node meanwhile, the patch is made again from what they left.
 */
export async function patchNodes(
  request: RemotePatch,
  flags: GlobalFlags,
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(request.output);
  const patches = await readPatches(request.patches, '-p');
  const { signal } = terminal;
  const { namespace, ignoreMissing } = request;
  await using targets = await Targets.open(flags, terminal);
  const patch = async (target: Target): Promise<ApplyConfigurationResponse> => {
    const { text, version } = await presentConfiguration(target, {
      signal,
      ...(namespace === undefined ? {} : { namespace }),
    });
    const patched = patchConfiguration(text, patches, { file: target.name, ignoreMissing });
    return await sendConfiguration(target, Buffer.from(patched), request, {
      signal,
      expectedVersion: version,
    });
  };
  const { results, throwFailures } = await everyNode(targets.all, (target) =>
    inTurn(() => patch(target), terminal, { rebase: true }),
  );
  await printAnswers(results, { ...request, format }, terminal);
  throwFailures();
}
