// Keeps a schematic, ten at once, and a token, revokes the token, and says each when it is done: node record-writer.ts DIRECTORY
import { writeSync } from 'node:fs';

import { SqliteSchematics } from '../src/schematics/sqlite-schematics.ts';
import { SqliteTokenRecords } from '../src/tokens/sqlite-token-records.ts';

const [, , directory = ''] = process.argv;
const now = 1_800_000_000;

await using schematics = await SqliteSchematics.open(directory);
await using tokens = await SqliteTokenRecords.open(directory);
writeSync(1, 'opened\n');
await schematics.put('a', 'text');
writeSync(1, 'schematic kept\n');
await Promise.all(Array.from({ length: 10 }, (_, index) => schematics.put(`b${index}`, 'text')));
writeSync(1, 'ten kept\n');
await tokens.add(
  {
    id: 'a',
    subject: 'ann',
    name: 'first',
    scopes: [],
    issuableScopes: [],
    createdAt: now,
    expiresAt: now + 60,
  },
  10,
  now,
);
writeSync(1, 'token kept\n');
await tokens.revoke('a', 'ann', now);
writeSync(1, 'token revoked\n');
