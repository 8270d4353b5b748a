import { WipeMethod, type WipeRequestInit, type WipeResponse, WipeState } from '@nodecore/api';

import { confirmByName } from '../confirm.ts';
import { WipeFailedError } from '../errors.ts';
import type { GlobalFlags } from '../flags.ts';
import { onlyNode } from '../nodes/only-node.ts';
import type { Target } from '../nodes/target.ts';
import { shortSize } from '../output/short-size.ts';
import { printable } from '../output/table.ts';
import { print, type Terminal } from '../terminal.ts';
import { showProgress, type Tell } from '../volume/progress.ts';

export type Flags = GlobalFlags & {
  readonly method: 'FAST' | 'ZEROES';
  readonly dropPartition?: true;
  readonly dryRun?: true;
  readonly yes?: true;
};

/** Shows what would be destroyed, asks for the names, and wipes. */
export async function wipeDisks(names: readonly string[], flags: Flags, terminal: Terminal): Promise<void> {
  await onlyNode(flags, terminal, async (target) => {
    const request: WipeRequestInit = {
      devices: [...names],
      method: WipeMethod[flags.method],
      dropPartition: flags.dropPartition === true,
    };
    const { name, client, node } = target;
    const { signal } = terminal;
    const identities: string[] = [];
    for await (const planned of client.wipe({ ...request, dryRun: true }, { node, signal })) {
      identities.push(planned.identity);
      await print(terminal.error, `${printable(plan(name, planned, flags))}\n`);
    }
    if (flags.dryRun === true) return;
    const question = `This destroys what is on ${names.join(', ')} of ${name}.`;
    if (flags.yes !== true && !(await confirmByName(terminal, question, names))) return;
    await showProgress([name], terminal, (tell) => run(target, { ...request, identities }, terminal, tell));
    await print(terminal.error, `${name}: ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} blank\n`);
  });
}

function plan(node: string, { device, content, sizeBytes, takers }: WipeResponse, flags: Flags): string {
  const holds = content === '' ? 'nothing that is recognised' : content;
  const entry = flags.dropPartition === true ? ', and its entry in the partition table' : '';
  const taken = takers.length === 0 ? '' : `; when it is blank it may be taken by ${takers.join(', ')}`;
  return `${node}: ${device}, ${shortSize(sizeBytes)}, holds ${holds}: will be wiped${entry}${taken}`;
}

async function run(
  { name, client, node }: Target,
  request: WipeRequestInit,
  { signal }: Terminal,
  tell: Tell,
): Promise<void> {
  let shown = '';
  for await (const event of client.wipe(request, { node, signal })) {
    const { device, state, doneBytes, sizeBytes, message, code } = event;
    if (state === WipeState.FAILED) throw new WipeFailedError(name, device, message, code);
    if (state !== WipeState.RUNNING) continue;
    const percent = sizeBytes === 0n ? 0n : (doneBytes * 100n) / sizeBytes;
    const line = `${device} ${percent} % of ${shortSize(sizeBytes)}`;
    if (line !== shown) tell(name, line);
    shown = line;
  }
}
