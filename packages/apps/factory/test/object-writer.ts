import { writeSync } from 'node:fs';

import { ObjectStore } from '../src/objects/object-store.ts';

// Writes objects of 1 MiB, each full of its first digit, until it is killed; a dot each time that it is in the middle of one.
const store = await ObjectStore.open(process.argv[2] ?? '', 1e9);
const half = 1 << 19;
for (let round = 0; ; round += 1)
  for (const digit of '123456789') {
    const held = await store.get(`${digit}${String(round).padStart(63, '0')}`, async (file) => {
      await file.writeFile(Buffer.alloc(half, Number(digit)));
      writeSync(1, '.');
      await file.writeFile(Buffer.alloc(half, Number(digit)));
    });
    held[Symbol.dispose]();
  }
