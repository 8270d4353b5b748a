import { type WipeResponse, WipeState } from '@nodecore/api/storage';

import {
  confirmByName,
  print,
  printable,
  shortSize,
  showProgress,
  type Tell,
  type Terminal,
} from '@nodecore/cli';
import { WipeFailedError } from '../errors.ts';
import type { GlobalFlags } from '../flags.ts';
import type { Target } from '../nodes/target.ts';

export type Flags = GlobalFlags & {
  readonly method: 'FAST' | 'ZEROES';
  readonly dryRun?: true;
  readonly yes?: true;
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
  for await (const planned of wipe(true))
    await print(terminal.error, `${name}: ${printable(plan(planned))}\n`);
  if (flags.dryRun === true) return;
  const question = `This destroys what is on ${names.join(', ')} of ${name}.`;
  if (flags.yes !== true && !(await confirmByName(terminal, question, names))) return;
  await showProgress([name], terminal, (tell) => run(name, wipe(false), tell));
  await print(terminal.error, `${name}: ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} wiped\n`);
}

async function run(name: string, events: AsyncIterable<WipeResponse>, tell: Tell): Promise<void> {
  let shown = '';
  for await (const { device, state, doneBytes, sizeBytes, message, code } of events) {
    if (state === WipeState.FAILED) throw new WipeFailedError(name, device, message, code);
    if (state !== WipeState.RUNNING) continue;
    const percent = sizeBytes === 0n ? 0n : (doneBytes * 100n) / sizeBytes;
    const line = `${device} ${percent} % of ${shortSize(sizeBytes)}`;
    if (line !== shown) tell(name, line);
    shown = line;
  }
}
