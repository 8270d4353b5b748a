import type { RecoverSpaceReport } from '@nodecore/api/kvstore';

import { formatObjects, print, readFormat, showProgress, type Terminal } from '@nodecore/cli';
import { onlyNode } from '../nodes/only-node.ts';
import type { Flags } from './listing.ts';
import { hexId } from './member-id.ts';

/** What was done, as -o json and yaml show it. */
type Recovered = {
  readonly node: string;
  /** Revisions before it are gone; 0: no NOSPACE alarm was raised, and nothing was done. */
  readonly compactedTo: bigint;
  /** How many members' files were made smaller. */
  readonly defragmented: number;
  /** Members whose NOSPACE was disarmed. */
  readonly disarmed: readonly string[];
};

/** Makes a store that is over its quota take writes again, by way of one node. */
export async function recoverSpace(flags: Flags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  await onlyNode(flags, terminal, async ({ client, name, node }) => {
    const report = await showProgress([name], terminal, async (tell) => {
      let last: RecoverSpaceReport | undefined;
      for await (const event of client.kvstore.recoverSpace({ node, signal: terminal.signal })) {
        if (event.message !== '') tell(name, event.message);
        last = event.report ?? last;
      }
      return last;
    });
    const recovered: Recovered = {
      node: name,
      compactedTo: report?.compactedTo ?? 0n,
      defragmented: report?.defragmented ?? 0,
      disarmed: (report?.disarmed ?? []).map(({ memberId }) => hexId(memberId)),
    };
    const text =
      format.kind === 'table'
        ? `${name}: ${inWords(recovered)}\n`
        : await formatObjects([recovered], format, { single: true });
    await print(terminal.out, text);
  });
}

/** What was done, and no more than that. */
function inWords({ compactedTo, defragmented, disarmed }: Recovered): string {
  if (compactedTo === 0n) return 'no NOSPACE alarm is raised: nothing was done';
  const members = `${defragmented} ${defragmented === 1 ? 'member' : 'members'}`;
  const alarms =
    disarmed.length === 0
      ? 'disarmed nothing: somebody else did'
      : `disarmed NOSPACE of ${disarmed.join(', ')}`;
  return `compacted to revision ${compactedTo}, defragmented ${members}, ${alarms}`;
}
