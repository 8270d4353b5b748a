/**
 * A program: the node API as the agent serves it, before volumes that take recovery keys and forget them. Gets its certificate on
 * standard input, says where it listens, and stands still while it is looked through.
 */
import { json } from 'node:stream/consumers';

import { VolumeService } from '@nodecore/api/volume';
import { Secret } from '@nodecore/sys';
import { pino } from 'pino';

import { protectMemory } from '../src/memory.ts';
import { ApiServer } from '../src/server/server.ts';
import { servicePart } from '../src/server/service-part.ts';
import { volumeService } from '../src/volumes/volume-service.ts';

type Identity = { readonly crt: string; readonly key: string; readonly ca: string };

const log = pino({ level: 'silent' });
await protectMemory(log);
const identity = (await json(process.stdin)) as Identity;
let stored = 0;
const volumes = {
  statuses: () => [],
  keysOf: () => ({
    addRecoveryKey: async (key: Secret) => {
      stored += key.sizeBytes;
      return 1;
    },
  }),
} as never;
const server = new ApiServer({ log });
server.serve((calls) => [servicePart(VolumeService, volumeService(volumes, calls))]);
server.use({
  crt: identity.crt,
  key: Secret.copy(Buffer.from(identity.key, 'base64')),
  clientAuthorities: [identity.ca],
});
const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
console.log(port);
