import { readFile } from 'node:fs/promises';

import test, { type ExecutionContext } from 'ava';

const root = new URL('../../', import.meta.url);

type Row = { readonly number: number; readonly state: string; readonly proof: string };

/** The table at the end of the guide to volumes. */
async function readRows(): Promise<readonly Row[]> {
  const guide = await readFile(new URL('docs/volumes.md', root), 'utf8');
  return [...guide.matchAll(/^\| (?<number>\d+) \| [^|]+ \| (?<state>[^|]+) \| (?<proof>.+) \|$/gmu)].map(
    ({ groups }) => ({
      number: Number(groups?.['number']),
      state: groups?.['state'] ?? '',
      proof: groups?.['proof'] ?? '',
    }),
  );
}

/** Tests that are named as `` `file` “title” ``; of a title with values in it, the part without. */
function testsOf({ proof }: Pick<Row, 'proof'>): { readonly file: string; readonly title: string }[] {
  return [...proof.matchAll(/`(?<file>[\w./-]+\.test\.ts)` “(?<title>[^”]+)”/gu)].map(({ groups }) => ({
    file: groups?.['file'] ?? '',
    title: groups?.['title'] ?? '',
  }));
}

test('the table of weak spots has each of the fifty once, and says of each how it stands', async (t) => {
  const rows = await readRows();
  t.deepEqual(
    rows.map(({ number }) => number),
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
  for (const row of rows) {
    t.true(['beaten', 'not applicable', 'open'].includes(row.state), `W${row.number}: ${row.state}`);
    if (row.state === 'beaten') t.true(testsOf(row).length > 0, `W${row.number} names no test`);
  }
});

test('every test that the table of weak spots names is there', async (t) => {
  for (const row of await readRows()) await areThere(t, `W${row.number}`, row);
});

test('each complaint about upgrades of other systems has a row with tests that are there', async (t) => {
  const page = await readFile(new URL('docs/decisions/boot-entries.md', root), 'utf8');
  const [, table = ''] = page.split('## What users of such systems complain about');
  const rows = [...table.matchAll(/^\| (?<report>(?:[TSK] [\d, ]+|none)) \| .* \| (?<proof>`.+) \|$/gmu)];
  t.is(rows.length, 15);
  for (const { groups: { report = '', proof = '' } = {} } of rows) {
    t.true(testsOf({ proof }).length > 0, `${report} names no test`);
    await areThere(t, report, { proof });
  }
});

async function areThere(t: ExecutionContext, what: string, row: Pick<Row, 'proof'>): Promise<void> {
  for (const { file, title } of testsOf(row)) {
    const source = await readFile(new URL(file, root), 'utf8');
    const literal = title.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
    t.regex(source, new RegExp(`\\(\\s*(['"\`])[^\n]*${literal}`, 'u'), `${what}: ${file}`);
  }
}
