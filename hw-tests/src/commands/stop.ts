/** `npm stop [-- --state DIR]`: ends the nodes that `npm start` started, exactly these, and waits until they are gone. */
import { resolve } from 'node:path';

import { parseOptions } from '../node/arguments.ts';
import { readRecord, removeRecord, runningNode } from '../node/record.ts';
import { defaultDirectory, nodeNames } from '../node/start-options.ts';
import { stopNode } from '../node/stop-node.ts';
import { switchOff, virtualDirectory, virtualNode, virtualNodeRuns } from '../node/virtual-node.ts';

const usage =
  'npm stop ends every node that npm start has begun in this checkout, npm stop -- --state DIR the one in DIR';

async function main(argv: readonly string[]): Promise<void> {
  const values = parseOptions(argv, { state: { type: 'string' } });
  const directories = values.state === undefined ? nodeNames.map(defaultDirectory) : [resolve(values.state)];
  let stopped = 0;
  const stopping = async (name: string, work: () => Promise<void>): Promise<void> => {
    const started = performance.now();
    process.stdout.write(`${name}: stopping … `);
    await work();
    console.log(`stopped (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    stopped += 1;
  };
  for (const directory of directories) {
    const virtual = virtualDirectory(directory);
    if ((await virtual.exists()) && (await virtualNodeRuns(virtual)))
      await stopping(virtualNode, async () => await switchOff(virtual));
    const node = await runningNode(directory);
    if (node !== undefined) await stopping('host-node', async () => await stopNode(node));
    else if ((await readRecord(directory)) !== undefined) await removeRecord(directory); // its supervisor was killed
  }
  if (stopped === 0) console.log('nothing runs');
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(`npm stop: ${message}${error instanceof TypeError ? `; ${usage}` : ''}`);
  process.exitCode = 1;
}
