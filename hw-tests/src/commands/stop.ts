/** `npm stop`: ends the nodes that `npm start` started, exactly these, and waits until they are gone. */
import { stopNode } from '../node/stop-node.ts';
import { nodeNames, readRecord, removeRecord, runningNode } from '../node/record.ts';

let stopped = 0;
for (const name of nodeNames) {
  const node = await runningNode(name);
  if (node === undefined) {
    if ((await readRecord(name)) !== undefined) await removeRecord(name); // its supervisor was killed
    continue;
  }
  const started = performance.now();
  process.stdout.write(`${name}: stopping … `);
  await stopNode(node);
  console.log(`stopped (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  stopped += 1;
}
if (stopped === 0) console.log('nothing runs');
