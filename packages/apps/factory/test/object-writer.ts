import { writeSync } from 'node:fs';

import { ObjectStore } from '../src/objects/object-store.ts';

// Writes objects of 1 MiB, each full of its first digit; a dot each time that it is in the middle of one. In the middle of the last one it stays.
const store = await ObjectStore.open(process.argv[2] ?? '', 1e9);
const last = Number(process.argv[3]);
const half = 1 << 19;
let begun = 0;
setInterval(() => {}, 1 << 30); // until it is killed
for (let round = 0; ; round += 1)
  for (const digit of '123456789') {
    const held = await store.get(`${digit}${String(round).padStart(63, '0')}`, async (file) => {
      await file.writeFile(Buffer.alloc(half, Number(digit)));
      writeSync(1, '.');
      begun += 1;
      if (begun === last) await new Promise(() => {});
      await file.writeFile(Buffer.alloc(half, Number(digit)));
    });
    held[Symbol.dispose]();
  }
