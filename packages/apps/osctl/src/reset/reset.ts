import { ResetMode, type ResetRequestInit, type ResetResponse } from '@nodecore/api/storage';

import {
  confirmByName,
  print,
  printable,
  shortSize,
  type Terminal,
  printFound,
  readFormat,
} from '@nodecore/cli';
import { notBack } from '../outcome.ts';
import type { GlobalFlags } from '../flags.ts';
import { onlyNode } from '../nodes/only-node.ts';
import { withProgress } from '../lifecycle/progress.ts';
import { perform, planned, type ResetWork } from './perform.ts';

export type ResetFlags = GlobalFlags & {
  readonly graceful: boolean;
  readonly reboot?: true;
  readonly wipeMode: WipeMode;
  readonly systemLabelsToWipe?: readonly string[];
  readonly userDisksToWipe?: readonly string[];
  readonly wait: boolean;
  /** Milliseconds. */
  readonly timeout: number;
  /** Tell everything that is seen, with its time; implies waiting. */
  readonly debug?: true;
  readonly progress: 'auto' | 'plain';
  readonly dryRun?: true;
  readonly yes?: true;
  readonly output: string;
};

/** What became of one thing that a reset destroys, as -o json and yaml show it. */
type Outcome = {
  readonly node: string;
  readonly name: string;
  /** Empty for values of META. */
  readonly devPath: string;
  readonly state: 'planned' | 'wiped';
  readonly content: string;
  readonly sizeBytes: bigint;
};

type WipeMode = 'all' | 'system-disk' | 'user-disks';

const modes: Readonly<Record<WipeMode, ResetMode>> = {
  all: ResetMode.ALL,
  'system-disk': ResetMode.SYSTEM_DISK,
  'user-disks': ResetMode.USER_DISKS,
};

/** The node checks, the plan is shown, its names are asked for; then the node is reset, and waited for. */
export async function reset(flags: ResetFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  await onlyNode(flags, terminal, async (target) => {
    const { client, node, name } = target;
    const limit = AbortSignal.timeout(flags.timeout);
    const signal = AbortSignal.any([terminal.signal, limit]);
    const request = requestOf(flags);
    const plans = await planned(
      client.reset({ ...request, dryRun: true }, { node, signal }),
      async (plan) => {
        await print(terminal.error, `${name}: ${printable(planOf(plan))}\n`);
      },
    );
    const names = plans.map((plan) => plan.name);
    const report = async (state: Outcome['state']): Promise<void> => {
      const outcomes = plans.map(({ name: thing, devPath, content, sizeBytes }): Outcome => {
        return { node: name, name: thing, devPath, state, content, sizeBytes };
      });
      await printFound(terminal, format, outcomes, { single: false, text: () => '' });
    };
    if (flags.dryRun === true) return await report('planned');
    const question = `This ends everything on ${name} and destroys what is on ${names.join(', ')}.`;
    if (flags.yes !== true && !(await confirmByName(terminal, question, names))) return;
    const end = await withProgress(flags, [name], terminal, async (tell) => {
      const work: ResetWork = { target, request, plans, tell, signal, debug: flags.debug === true };
      try {
        return await perform(work, flags.wait || work.debug);
      } catch (error) {
        throw limit.aborted ? notBack(name, flags.timeout) : error;
      }
    });
    await print(terminal.error, `${name}: ${end}\n`);
    await report('wiped');
  });
}

function requestOf(flags: ResetFlags): ResetRequestInit {
  return {
    graceful: flags.graceful,
    reboot: flags.reboot === true,
    mode: modes[flags.wipeMode],
    systemLabels: [...(flags.systemLabelsToWipe ?? [])],
    userDisks: [...(flags.userDisksToWipe ?? [])],
  };
}

function planOf({ name, devPath, content, sizeBytes }: ResetResponse): string {
  if (devPath === '') return `${name}: its values will be removed`;
  const holds = content === '' ? 'nothing that is recognised' : content;
  return `${name}, ${devPath}, ${shortSize(sizeBytes)}, holds ${holds}: will be wiped`;
}
