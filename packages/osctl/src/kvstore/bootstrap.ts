import type { GlobalFlags } from '../flags.ts';
import { onlyNode } from '../nodes/only-node.ts';
import { print, type Terminal } from '../terminal.ts';
import { showProgress } from '../volume/progress.ts';
import { hexId } from './member-id.ts';

/** Makes the node the first member of a new cluster. */
export async function bootstrap(flags: GlobalFlags, terminal: Terminal): Promise<void> {
  await onlyNode(flags, terminal, async ({ client, name, node }) => {
    const member = await showProgress([name], terminal, async (tell) => {
      let memberId = 0n;
      for await (const step of client.kvstore.bootstrap({}, { node, signal: terminal.signal })) {
        tell(name, step.message);
        memberId = step.memberId;
      }
      return hexId(memberId);
    });
    await print(terminal.out, `${name}: the kvstore runs, member ${member}\n`);
  });
}
