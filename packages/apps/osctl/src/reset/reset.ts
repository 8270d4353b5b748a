import { ResetMode, type ResetRequestInit, type ResetResponse, ResetStep } from '@nodecore/api/storage';

import {
  confirmByName,
  print,
  printable,
  shortSize,
  type Tell,
  type Terminal,
  UsageError,
  printFound,
  readFormat,
} from '@nodecore/cli';
import { NotBackError, ResetFailedError } from '../errors.ts';
import type { GlobalFlags } from '../flags.ts';
import { onlyNode } from '../nodes/only-node.ts';
import { withProgress } from '../lifecycle/progress.ts';
import { runOf, waitForNode } from './wait-for-node.ts';

export type ResetFlags = GlobalFlags & {
  readonly graceful: boolean;
  readonly reboot?: true;
  readonly wipeMode: WipeMode;
  readonly systemLabelsToWipe?: readonly string[];
  readonly userDisksToWipe?: readonly string[];
  readonly wait: boolean;
  /** Milliseconds. */
  readonly timeout: number;
  /** Tell everything that is seen, with its time. */
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
  if (flags.debug === true && !flags.wait)
    throw new UsageError('--debug tells what is seen while it waits; leave out --wait=false');
  const format = await readFormat(flags.output);
  await onlyNode(flags, terminal, async (target) => {
    const { client, node, name } = target;
    const limit = AbortSignal.timeout(flags.timeout);
    const signal = AbortSignal.any([terminal.signal, limit]);
    const request: ResetRequestInit = {
      graceful: flags.graceful,
      reboot: flags.reboot === true,
      mode: modes[flags.wipeMode],
      systemLabels: [...(flags.systemLabelsToWipe ?? [])],
      userDisks: [...(flags.userDisksToWipe ?? [])],
    };
    const names: string[] = [];
    const plans: ResetResponse[] = [];
    let digest = '';
    for await (const planned of client.reset({ ...request, dryRun: true }, { node, signal })) {
      names.push(planned.name);
      plans.push(planned);
      ({ digest } = planned);
      await print(terminal.error, `${name}: ${printable(planOf(planned))}\n`);
    }
    const report = async (state: Outcome['state']): Promise<void> => {
      const outcomes = plans.map(({ name: thing, devPath, content, sizeBytes }): Outcome => {
        return { node: name, name: thing, devPath, state, content, sizeBytes };
      });
      await printFound(terminal, format, outcomes, { single: false, text: () => '' });
    };
    if (flags.dryRun === true) return await report('planned');
    const question = `This ends everything on ${name} and destroys what is on ${names.join(', ')}.`;
    if (flags.yes !== true && !(await confirmByName(terminal, question, names))) return;
    const before = flags.wait && node === undefined ? await runOf(target, signal) : undefined;
    const loses = names.includes('STATE');
    await withProgress(flags, [name], terminal, async (tell) => {
      await follow(name, client.reset({ ...request, digest }, { node, signal }), tell);
      if (before === undefined) return;
      try {
        await waitForNode(target, { before, maintenance: loses, signal, tell, debug: flags.debug === true });
      } catch (error) {
        throw limit.aborted ? new NotBackError(name, flags.timeout) : error;
      }
    });
    await print(terminal.error, `${name}: ${endOf(flags, loses, before !== undefined)}\n`);
    await report('wiped');
  });
}

function planOf({ name, devPath, content, sizeBytes }: ResetResponse): string {
  if (devPath === '') return `${name}: its values will be removed`;
  const holds = content === '' ? 'nothing that is recognised' : content;
  return `${name}, ${devPath}, ${shortSize(sizeBytes)}, holds ${holds}: will be wiped`;
}

async function follow(node: string, events: AsyncIterable<ResetResponse>, tell: Tell): Promise<void> {
  let shown = '';
  for await (const event of events) {
    if (event.step === ResetStep.FAILED) throw new ResetFailedError(node, event.message, event.code);
    const line = lineOf(event);
    if (line !== shown) tell(node, line);
    shown = line;
  }
}

function lineOf({ step, name, doneBytes, sizeBytes, message }: ResetResponse): string {
  if (step === ResetStep.LEAVING) return 'leaves the kvstore';
  if (step === ResetStep.CLOSING) return 'ends services and closes volumes';
  if (step === ResetStep.DONE) return 'everything that was named is wiped';
  if (message !== '') return `${name} ${message}`;
  const percent = sizeBytes === 0n ? 100n : (doneBytes * 100n) / sizeBytes;
  return `${name} ${percent} % of ${shortSize(sizeBytes)}`;
}

function endOf({ reboot }: ResetFlags, loses: boolean, waited: boolean): string {
  if (!waited) return reboot === true ? 'is reset, and reboots' : 'is reset';
  return loses
    ? 'is reset, and waits for a configuration: osctl apply-config --insecure'
    : 'is reset, and is back';
}
