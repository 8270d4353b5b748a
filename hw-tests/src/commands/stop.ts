/** `npm stop [-- --state DIR]`: ends the nodes that `npm start` started, exactly these, and waits until they are gone. */
import { resolve } from 'node:path';

import { parseOptions } from '../node/arguments.ts';
import { defaultDirectory, nodeNames, readRecord, removeRecord, runningNode } from '../node/record.ts';
import { stopNode } from '../node/stop-node.ts';

const usage =
  'npm stop ends every node that npm start has begun in this checkout, npm stop -- --state DIR the one in DIR';

async function main(argv: readonly string[]): Promise<void> {
  const values = parseOptions(argv, { state: { type: 'string' } });
  const directories = values.state === undefined ? nodeNames.map(defaultDirectory) : [resolve(values.state)];
  let stopped = 0;
  for (const directory of directories) {
    const node = await runningNode(directory);
    if (node === undefined) {
      if ((await readRecord(directory)) !== undefined) await removeRecord(directory); // its supervisor was killed
      continue;
    }
    const started = performance.now();
    process.stdout.write(`${node.name}: stopping … `);
    await stopNode(node);
    console.log(`stopped (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    stopped += 1;
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
