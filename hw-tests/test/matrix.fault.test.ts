import test from 'ava';

import { type Cell, contents, drivers, partOfMatrix, parts } from './matrix-cells.ts';
import { matrixStory } from './matrix-story.ts';

/*
 * The life of volumes on every disk driver. A part of the matrix takes minutes: it belongs to the long campaign, which runs the
 * first one, or those whose numbers MATRIX_PARTS has.
 */
const campaign = process.env['FAULT_CAMPAIGN'] === 'long' ? test.serial : test.serial.skip;
const chosen = (process.env['MATRIX_PARTS'] ?? '0').split(',').map(Number);

const all: readonly Cell[] = Array.from({ length: parts }, (_, part) => partOfMatrix(part)).flat();
const kindOf = ({ driver, content, key }: Cell): string =>
  `${driver} ${content} ${key === 'none' ? 'in clear' : 'encrypted'}`;

test('the parts of the matrix have every content on every driver, in clear and encrypted, once', (t) => {
  const wanted = drivers.flatMap((driver) =>
    contents.flatMap((content) => [
      kindOf({ driver, content, key: 'none' }),
      kindOf({ driver, content, key: 'static' }),
    ]),
  );
  t.deepEqual(all.map(kindOf).sort(), wanted.sort());
});

test('each part of the matrix has every driver, every content, and each key on several drivers', (t) => {
  for (let part = 0; part < parts; part += 1) {
    const cells = partOfMatrix(part);
    t.deepEqual(
      cells.map(({ driver }) => driver),
      [...drivers],
    );
    t.is(new Set(cells.map(({ content }) => content)).size, contents.length);
    for (const key of ['static', 'nodeID']) t.is(cells.filter((cell) => cell.key === key).length, 2);
  }
});

for (const part of chosen) {
  campaign(
    `volumes of part ${part} of the matrix are made, found again, grown and given up, and are what blkid and lsblk say`,
    async (t) => {
      t.timeout(900_000);
      await matrixStory(t, partOfMatrix(part));
    },
  );
}
