import { join } from 'node:path';

import { systemClock } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { KvstoreNode } from '../src/kvstore/kvstore-node.ts';
import { createLog } from '../src/log.ts';
import { Store } from '../src/resources/store.ts';

async function* work(): AsyncGenerator<string> {
  yield 'restoring';
  yield 'starting';
}

test('of two who bootstrap a node at once one is refused, and may when the other has ended or left', async (t) => {
  const directory = await temporaryDirectory(t);
  const node = new KvstoreNode({
    store: new Store({ clock: systemClock }),
    log: createLog('silent'),
    clock: systemClock,
    runDirectory: join(directory, 'run'),
    mounts: () => [],
    stateDirectory: directory,
  });
  const first = node.alone(work);
  t.is((await first.next()).value, 'restoring');
  const refused = { code: 'ERR_MEMBER_BUSY', message: /somebody else bootstraps this node/ };
  await t.throwsAsync(node.alone(work).next(), refused);
  t.is((await first.next()).value, 'starting');
  await t.throwsAsync(node.alone(work).next(), refused);
  t.true((await first.next()).done);

  const second = node.alone(work);
  t.is((await second.next()).value, 'restoring');
  await second.return();
  t.is((await node.alone(work).next()).value, 'restoring', 'a caller that leaves gives its turn up');
});
