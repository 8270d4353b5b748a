import { type WipeResponse, WipeState } from '@nodecore/api/storage';

import {
  confirmByName,
  print,
  printable,
  shortSize,
  showProgress,
  type Tell,
  type Terminal,
  printFound,
  readFormat,
} from '@nodecore/cli';
import { notWiped } from '../outcome.ts';
import type { GlobalFlags } from '../flags.ts';
import type { Target } from '../nodes/target.ts';

export type Flags = GlobalFlags & {
  readonly method: 'FAST' | 'ZEROES';
  readonly dryRun?: true;
  readonly yes?: true;
  readonly output: string;
};

/** What became of one device or volume, as -o json and yaml show it. */
type Outcome = {
  readonly node: string;
  readonly name: string;
  readonly state: 'planned' | 'wiped';
  readonly content: string;
  readonly sizeBytes: bigint;
};

export type NamedWipe = {
  readonly target: Target;
  readonly flags: Flags;
  readonly wipe: (dryRun: boolean) => AsyncIterable<WipeResponse>;
  /** What would be done with one of the names. */
  readonly plan: (planned: WipeResponse) => string;
};

/** The node checks, the plan is shown, the names are asked for; only then something is wiped. */
export async function wipeNamed(
  names: readonly string[],
  { target: { name }, flags, wipe, plan }: NamedWipe,
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  const plans: WipeResponse[] = [];
  for await (const planned of wipe(true)) {
    plans.push(planned);
    await print(terminal.error, `${name}: ${printable(plan(planned))}\n`);
  }
  const report = async (state: Outcome['state']): Promise<void> => {
    const outcomes = plans.map(({ device, content, sizeBytes }): Outcome => {
      return { node: name, name: device, state, content, sizeBytes };
    });
    await printFound(terminal, format, outcomes, { single: false, text: () => '' });
  };
  if (flags.dryRun === true) return await report('planned');
  const question = `This destroys what is on ${names.join(', ')} of ${name}.`;
  if (flags.yes !== true && !(await confirmByName(terminal, question, names))) return;
  await showProgress([name], terminal, (tell) => run(name, wipe(false), tell));
  await print(terminal.error, `${name}: ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} wiped\n`);
  await report('wiped');
}

async function run(name: string, events: AsyncIterable<WipeResponse>, tell: Tell): Promise<void> {
  let shown = '';
  for await (const { device, state, doneBytes, sizeBytes, message, code } of events) {
    if (state === WipeState.FAILED) throw notWiped(name, device, message, code);
    if (state !== WipeState.RUNNING) continue;
    const percent = sizeBytes === 0n ? 0 : Number((doneBytes * 100n) / sizeBytes);
    const line = `${device} ${percent} % of ${shortSize(sizeBytes)}`;
    if (line !== shown) tell(name, line, { what: device, percent });
    shown = line;
  }
}
