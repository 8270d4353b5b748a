import type { RecoverSpaceReport } from '@nodecore/api';

import type { GlobalFlags } from '../flags.ts';
import { onlyNode } from '../nodes/only-node.ts';
import { print, type Terminal } from '../terminal.ts';
import { showProgress } from '../volume/progress.ts';
import { hexId } from './member-id.ts';

/** Makes a store that is over its quota take writes again, by way of one node. */
export async function recoverSpace(flags: GlobalFlags, terminal: Terminal): Promise<void> {
  await onlyNode(flags, terminal, async ({ client, name, node }) => {
    const report = await showProgress([name], terminal, async (tell) => {
      let last: RecoverSpaceReport | undefined;
      for await (const event of client.kvstore.recoverSpace({ node, signal: terminal.signal })) {
        if (event.message !== '') tell(name, event.message);
        last = event.report ?? last;
      }
      return last;
    });
    await print(terminal.out, `${name}: ${inWords(report)}\n`);
  });
}

function inWords(report: RecoverSpaceReport | undefined): string {
  if (report === undefined || report.compactedTo === 0n)
    return 'no NOSPACE alarm is raised: nothing was done';
  const members = report.disarmed.map(({ memberId }) => hexId(memberId)).join(', ');
  return `compacted to revision ${report.compactedTo}, defragmented, disarmed NOSPACE of ${members}`;
}
