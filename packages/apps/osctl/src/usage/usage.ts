import type { FileUsage, FileUsageRequestInit } from '@nodecore/api/file';
import { readFormat, Table, type Terminal, print } from '@nodecore/cli';

import { ArrayOutput } from '../files/array-output.ts';
import { Failures } from '../files/failures.ts';
import { iecSize } from '../files/iec-size.ts';
import { nameFields, nameText } from '../files/name-text.ts';
import { remotePath } from '../files/remote-path.ts';
import { typeWord } from '../list/types.ts';
import type { GlobalFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets } from '../nodes/target.ts';

export type UsageFlags = {
  readonly humanize?: true;
  readonly all?: true;
  readonly threshold?: number;
  readonly depth?: number;
  readonly apparent?: true;
  readonly oneFileSystem?: true;
  readonly output: string;
};

/** More than any tree has. */
const everyLevel = 2 ** 31;

/** Prints what trees take on all nodes, as they are counted. */
export async function usage(
  paths: readonly string[],
  flags: UsageFlags & GlobalFlags,
  terminal: Terminal,
): Promise<void> {
  const { humanize = false, all = false, threshold = 0, apparent = false } = flags;
  const { depth = all ? everyLevel : 0 } = flags;
  const format = await readFormat(flags.output);
  const request: FileUsageRequestInit = {
    paths: (paths.length === 0 ? ['/'] : paths).map(remotePath),
    depth,
    all,
    threshold: BigInt(threshold),
    apparent,
    oneFileSystem: flags.oneFileSystem === true,
  };
  await using targets = await Targets.open(flags, terminal);
  const isOne = targets.all.length === 1;
  const table = new Table(isOne ? ['size', 'name'] : ['node', 'size', 'name']);
  const output = format.kind === 'table' ? undefined : new ArrayOutput(format, terminal);
  const row = (node: string, { path, diskBytes, apparentBytes }: FileUsage): string[] => {
    const bytes = apparent ? apparentBytes : diskBytes;
    const cells = [humanize ? iecSize(bytes) : String(bytes), nameText(path)];
    return isOne ? cells : [node, ...cells];
  };
  const failures = new Failures();
  const { throwFailures } = await everyNode(targets.all, async ({ name, client, node }) => {
    for await (const batch of client.files.usage(request, { node, signal: terminal.signal })) {
      failures.add(name, batch.failures);
      if (output !== undefined) await output.add(batch.rows.map((each) => usageObject(name, each)));
      else if (batch.rows.length > 0)
        await print(terminal.out, table.format(batch.rows.map((each) => row(name, each))));
    }
  });
  await output?.end();
  throwFailures();
  await failures.tell(terminal);
}

function usageObject(node: string, { path, type, diskBytes, apparentBytes, files }: FileUsage): object {
  return { node, ...nameFields('path', path), type: typeWord(type), diskBytes, apparentBytes, files };
}
