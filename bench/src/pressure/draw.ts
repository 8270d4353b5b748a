/** `node --conditions=source bench/src/pressure/draw.ts RECORDING.json PICTURE.svg`: draws a recorded run. */
import { readFile, writeFile } from 'node:fs/promises';

import { picture } from './picture.ts';
import type { Recording } from './recording.ts';

const [from, to] = process.argv.slice(2);
if (from === undefined || to === undefined) {
  console.error('usage: draw.ts RECORDING.json PICTURE.svg');
  process.exit(2);
}
await writeFile(to, picture(JSON.parse(await readFile(from, 'utf8')) as Recording));
