import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { privateNetwork, root, temporaryDirectory, testWith, vethPair } from '@nodecore/testkit';
import test from 'ava';

import { captureToFile, open } from '../src/index.ts';
import { flood } from './traffic.ts';

const rooted = testWith(root);

test.before(async () => {
  await privateNetwork();
  await vethPair('left', 'right');
});

rooted('whoever looks at the statistics takes no packets from whoever waits for them', async (t) => {
  await using capture = await open({ interfaces: ['right'] });
  await flood({ on: 'left', frameBytes: 100, count: 10 });
  while (capture.statistics().seen < 10n) await setImmediate();
  capture.statistics();
  for await (const batch of capture) {
    t.is(batch.packets, 10);
    break; // nothing else comes
  }
});

rooted('whoever looks at the statistics does not hide the end of a file', async (t) => {
  const path = join(await temporaryDirectory(t), 'a.pcap');
  await using capture = await captureToFile(path, { interfaces: ['right'], packets: 10n });
  await flood({ on: 'left', frameBytes: 100, count: 10 });
  const looking = setInterval(() => capture.statistics(), 0);
  t.teardown(() => clearInterval(looking));
  t.like(await capture.summary(), { end: 'enough', packets: 10n });
});
