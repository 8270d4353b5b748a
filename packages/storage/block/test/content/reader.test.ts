import test from 'ava';

import { ContentReader } from '../../src/content/reader.ts';
import type { DeviceAccess } from '../../src/devices/device-access.ts';

test('a device that is gone after it was judged is one with an error, and ends no look at the others', async (t) => {
  const sizeBytes = 1n << 20n; // that of a META partition, which is read once more
  const judgement = { verdict: {}, signatures: [], entries: [] };
  const access = {
    probe: async () => ({ outcome: 'judged', sizeBytes, judgement }),
  } as unknown as DeviceAccess;
  const reader = new ContentReader(access, true);
  const found = await reader.read({ path: '/dev/nodecore-gone', identity: 'gone' }, sizeBytes);
  t.regex(found.error ?? '', /ENOENT.*nodecore-gone/);
});
