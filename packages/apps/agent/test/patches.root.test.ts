import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { Osconfig } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { osctl, type Outcome } from '../../osctl/test/command-line.ts';
import { AgentProcess } from './agent-process.ts';
import { authority, rootDocument, volumeDocument } from './documents.ts';

const ca = await authority();
const nowhere = 'disk.serial == "none-has-this"';
const passphrase = 'of-u-data';

/** An agent with one encrypted volume that waits for its disk, and osctl for it. */
async function setUp(t: ExecutionContext) {
  const directory = await temporaryDirectory(t);
  const agent = await AgentProcess.start(t, directory);
  const { crt, key } = await pki.issueClient(ca, { roles: ['os:admin'] });
  const path = join(directory, 'osconfig');
  const config = Osconfig.empty(path);
  config.set('test', { endpoints: [agent.endpoint], ca: ca.crt, crt, key });
  config.use('test');
  await writeFile(path, config.encode());
  const run = (args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> =>
    osctl(args, { env: { OSCONFIG: path, ...env } });
  const first = join(directory, 'first.yaml');
  await writeFile(first, rootDocument(ca) + volumeDocument({ name: 'data', match: nowhere, passphrase }));
  const fingerprint = (await readFile(join(directory, 'run/maintenance-fingerprint'), 'utf8')).trim();
  const flags = ['-i', '-n', agent.endpoint, '--cert-fingerprint', fingerprint];
  const applied = await run(['apply-config', '-f', first, ...flags]);
  t.is(applied.code, 0, applied.error);
  const persisted = (): Promise<string> => readFile(join(directory, 'state/config.yaml'), 'utf8');
  return { directory, agent, run, persisted };
}

const addition = (name: string): string => volumeDocument({ name, match: nowhere });

testWith(root)('six patches at once are all taken, and every one is there', async (t) => {
  const { run, persisted } = await setUp(t);
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const outcomes = await Promise.all(names.map((name) => run(['patch', 'mc', '-p', addition(name)])));
  for (const { code, error } of outcomes) t.is(code, 0, error);
  const text = await persisted();
  for (const name of ['data', ...names]) t.true(text.includes(`\nname: ${name}\n`), `${name} in ${text}`);
  t.true(text.includes(passphrase), 'the secret that no client saw is still there');
});

/** Grows the volume, provided that it is as small as at first. */
function growth(size: string): string {
  const path = '/UserVolumeConfig~1data/provisioning/minSize';
  return JSON.stringify([
    { op: 'test', path, value: '100MiB' },
    { op: 'replace', path, value: size },
  ]);
}

testWith(root)('a test in a patch that fails on what others left is final', async (t) => {
  const { run, persisted } = await setUp(t);
  const outcomes = await Promise.all(
    ['200MiB', '300MiB', '400MiB'].map((size) => run(['patch', 'mc', '-p', growth(size)])),
  );
  t.deepEqual(
    outcomes.map(({ code }) => code).toSorted((a, b) => a - b),
    [0, 1, 1],
  );
  for (const { code, error } of outcomes) if (code !== 0) t.regex(error, /the value there is another/);
  t.notRegex(await persisted(), /100MiB/);
});

testWith(root)('an edit does not undo what others did meanwhile, and is not lost', async (t) => {
  const { directory, agent, run, persisted } = await setUp(t);
  // Somebody else's patch comes while the editor is open.
  const editor = join(directory, 'editor.sh');
  const gate = join(directory, 'gate');
  await writeFile(
    editor,
    `sed -i s/100MiB/900MiB/ "$1"\nmkfifo "${gate}"\necho open > "${gate}.open"\ncat "${gate}"\n`,
  );
  const edited = run(['edit', 'mc'], { EDITOR: `sh ${editor}` });
  const isOpen = (): Promise<boolean> =>
    stat(`${gate}.open`).then(
      () => true,
      () => false,
    );
  while (!(await isOpen())) await new Promise(setImmediate);
  t.is((await run(['patch', 'mc', '-p', addition('theirs')])).code, 0);
  await writeFile(gate, '');
  const { code, error } = await edited;
  t.is(code, 1);
  t.regex(error, /the configuration was changed by somebody else while you edited it/);
  t.regex(error, /^\+name: theirs$/m);
  const kept = /your text was not applied; it is in (\S+)/.exec(error)?.[1] ?? '';
  t.is((await stat(kept)).mode & 0o777, 0o600);
  t.regex(await readFile(kept, 'utf8'), /900MiB/);
  t.notRegex(await persisted(), /900MiB/);
  const next = /put every value of your text over theirs: osctl (.*)/.exec(error)?.[1]?.split(' ') ?? [];
  t.deepEqual(next, ['patch', 'mc', '-n', agent.endpoint, '--patch-file', kept]);
  const forced = await run(next);
  t.is(forced.code, 0, forced.error);
  const text = await persisted();
  t.regex(text, /900MiB/);
  t.regex(text, /^name: theirs$/m);
  t.true(text.includes(passphrase));
  await rm(dirname(kept), { recursive: true });
});
