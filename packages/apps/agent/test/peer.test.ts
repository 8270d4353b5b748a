import test from 'ava';

import { hostOf, peerOf } from '../src/server/peer.ts';

const peers = [
  ['10.0.0.1:51000', '10.0.0.1:51000', '10.0.0.1'],
  ['fd00::1:51000', '[fd00::1]:51000', 'fd00::1'],
  ['::1:51000', '[::1]:51000', '::1'],
  ['fe80::1%eth0:51000', '[fe80::1%eth0]:51000', 'fe80::1%eth0'],
  ['unknown', 'unknown', 'unknown'],
] as const;

for (const [said, shown, host] of peers)
  test(`a peer that gRPC calls ${said} is ${shown}, of ${host}`, (t) => {
    t.is(peerOf({ getPeer: () => said }), shown);
    t.deepEqual([hostOf(said), hostOf(shown)], [host, host]);
  });
