import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { editorOf } from '../src/edit/editor.ts';
import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

const file = `apiVersion: v1alpha1
kind: UserVolumeConfig
name: data
provisioning:
  diskSelector:
    match: disk.transport == "nvme"
  minSize: 1GiB # at least
encryption:
  provider: luks2
  keys:
    - static: {passphrase: correct horse}
`;
const hidden = file.replace('correct horse', '"******"');
const type = 'MachineConfigs.config.nodecore.dev';
const larger = '{kind: UserVolumeConfig, name: data, provisioning: {minSize: 2GiB}}';

async function saved(t: Parameters<typeof temporaryDirectory>[0], text: string): Promise<string> {
  const path = join(await temporaryDirectory(t), 'node.yaml');
  await writeFile(path, text);
  return path;
}

test('a file is patched; printed without its secrets, written with them for its owner alone', async (t) => {
  const path = await saved(t, file);
  const printed = await osctl(['machineconfig', 'patch', path, '-p', larger]);
  t.deepEqual(printed, { code: 0, out: hidden.replace('1GiB', '2GiB'), error: '' });
  const output = `${path}.new`;
  const patch = await saved(t, '- {op: replace, path: /provisioning/minSize, value: 3GiB}');
  const written = await osctl(['mc', 'patch', path, '-p', larger, '-p', `@${patch}`, '-o', output]);
  t.deepEqual(written, { code: 0, out: '', error: '' });
  t.is(await readFile(output, 'utf8'), file.replace('1GiB', '3GiB'));
  t.is((await stat(output)).mode & 0o777, 0o600);
});

test('a patch that does not apply, and one whose result is not valid, say where', async (t) => {
  const path = await saved(t, file);
  const wrong = await osctl(['mc', 'patch', path, '-p', '[{op: remove, path: /mount}]']);
  t.is(wrong.code, 1);
  t.true(wrong.error.includes('<patch 1>:1:21: [0].path: there is nothing at this path'), wrong.error);
  const invalid = await osctl(['mc', 'patch', path, '-p', larger.replace('2GiB', 'two')]);
  t.is(invalid.code, 1);
  t.true(
    invalid.error.includes('node.yaml (patched):7:12: UserVolumeConfig/data provisioning.minSize'),
    invalid.error,
  );
  for (const args of [
    ['mc', 'patch', path],
    ['patch', 'mc'],
    ['patch', 'disks', '-p', larger],
    ['mc', 'patch', path, '-p', '@/none'],
  ])
    t.is((await osctl(args)).code, 2, args.join(' '));
});

test('apply-config sends what the patches make of the file', async (t) => {
  const node = await startFakeNode(t);
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const { code } = await osctl(
    [
      'apply-config',
      '-f',
      '-',
      '-p',
      larger,
      '--config-patch',
      '{kind: UserVolumeConfig, name: data, mount: {secure: false}}',
    ],
    { env, input: file },
  );
  t.is(code, 0);
  t.is(
    Buffer.from(node.applied[0]?.data ?? []).toString(),
    `${file.replace('1GiB', '2GiB')}mount: {secure: false}\n`,
  );
});

test('a node is patched from the configuration that it has, and its secrets stay with it', async (t) => {
  const node = await startFakeNode(t, {
    specs: { [type]: { v1alpha1: hidden } },
    diff: '-  minSize: 1GiB\n',
  });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const { code, out } = await osctl(['patch', 'machineconfig', '-p', larger, '--dry-run'], { env });
  t.is(code, 0);
  t.is(out, `${node.endpoint}: Would apply\n-  minSize: 1GiB\n`);
  t.is(Buffer.from(node.applied[0]?.data ?? []).toString(), hidden.replace('1GiB', '2GiB'));
  t.is(node.applied[0]?.expectedVersion, 1n);
  const empty = await startFakeNode(t);
  const other = await clientConfig(t, { endpoints: [empty.endpoint] });
  t.is((await osctl(['patch', 'mc', '-p', larger], { env: other })).code, 3);
});

/** An editor that runs a script of ours on the text. */
async function editor(t: Parameters<typeof temporaryDirectory>[0], change: string): Promise<string> {
  const script = join(await temporaryDirectory(t), 'editor.mjs');
  await writeFile(
    script,
    `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
const file = process.argv.at(-1);
const before = readFileSync(file, 'utf8');
appendFileSync(import.meta.filename + '.log', before + '====\\n');
const change = (text) => ${change};
writeFileSync(file, change(before));
`,
  );
  return `${process.execPath} ${script}`;
}

test('what the editor makes of the configuration is applied; the note above it is not', async (t) => {
  const node = await startFakeNode(t, { specs: { [type]: { v1alpha1: hidden } } });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const command = await editor(t, "text.replace('1GiB', '2GiB')");
  const { code, error } = await osctl(['edit', 'machineconfig'], {
    env: { ...env, OS_EDITOR: command, EDITOR: 'false' },
  });
  t.is(code, 0, error);
  t.is(Buffer.from(node.applied[0]?.data ?? []).toString(), hidden.replace('1GiB', '2GiB'));
  const log = await readFile(`${command.split(' ')[1]}.log`, 'utf8');
  t.true(log.startsWith('#osctl# secrets are shown as'), log);
  t.false(log.includes('correct horse'));
});

test('nothing is sent when nothing was edited, or when the editor fails or is not there', async (t) => {
  const node = await startFakeNode(t, { specs: { [type]: { v1alpha1: hidden } } });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const same = await osctl(['edit', 'mc'], { env: { ...env, EDITOR: await editor(t, 'text') } });
  t.deepEqual([same.code, same.out], [0, `${node.endpoint}: not edited\n`]);
  for (const [program, message] of [
    ['false', /false ended with exit code 1: nothing was changed/],
    ['/nonexistent/editor', /not found; name your editor/],
  ] as const) {
    const failed = await osctl(['edit', 'mc'], { env: { ...env, EDITOR: program } });
    t.is(failed.code, 2);
    t.regex(failed.error, message);
  }
  t.is(node.applied.length, 0);
});

test('programs get what became of each node that was edited', async (t) => {
  const node = await startFakeNode(t, {
    specs: { [type]: { v1alpha1: hidden } },
    diff: '-  minSize: 1GiB\n',
  });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const edit = async (change: string, ...flags: readonly string[]): Promise<unknown> => {
    const EDITOR = await editor(t, change);
    return JSON.parse((await osctl(['edit', 'mc', '-o', 'json', ...flags], { env: { ...env, EDITOR } })).out);
  };
  t.deepEqual(await edit('text'), [{ node: node.endpoint, edited: false }]);
  const [edited] = (await edit("text.replace('1GiB', '2GiB')", '--dry-run')) as readonly [object];
  t.like(edited, { node: node.endpoint, edited: true, details: 'Would apply', diff: '-  minSize: 1GiB\n' });
});

test('a refused text is opened again with what is wrong above it', async (t) => {
  const problem = {
    code: 'size.invalid',
    message: 'not a size',
    document: '',
    path: 'x',
    line: 7,
    column: 12,
  };
  const refuse = (text: string): typeof problem | undefined => (text.includes('two') ? problem : undefined);
  const node = await startFakeNode(t, { specs: { [type]: { v1alpha1: hidden } }, refuse });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const command = await editor(
    t,
    "text.includes('two') ? text.replace('two', '2GiB') : text.replace('1GiB', 'two')",
  );
  const { code, error } = await osctl(['edit', 'mc'], { env: { ...env, EDITOR: command } });
  t.is(code, 0, error);
  t.is(Buffer.from(node.applied[0]?.data ?? []).toString(), hidden.replace('1GiB', '2GiB'));
  const log = await readFile(`${command.split(' ')[1]}.log`, 'utf8');
  t.regex(log, /#osctl# line 9, column 12: x: not a size/); // two notes above line 7
  const stubborn = await editor(t, "text.replace('1GiB', 'two')");
  const refused = await osctl(['edit', 'mc'], { env: { ...env, EDITOR: stubborn } });
  t.is(refused.code, 1);
  t.true(refused.error.includes('not a size'), refused.error);
  const kept = /your text was not applied; it is in (\S+)/.exec(refused.error)?.[1] ?? '';
  t.is(await readFile(kept, 'utf8'), hidden.replace('1GiB', 'two'));
  await rm(dirname(kept), { recursive: true });
});

test('what an editor writes that is not UTF-8 is not sent, and not lost', async (t) => {
  const node = await startFakeNode(t, { specs: { [type]: { v1alpha1: hidden } } });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const script = join(await temporaryDirectory(t), 'latin1.sh');
  await writeFile(script, `printf 'kind: caf\\351' > "$1"\n`);
  const { code, error } = await osctl(['edit', 'mc'], { env: { ...env, EDITOR: `sh ${script}` } });
  t.is(code, 2);
  const [, kept = ''] = /^osctl: (\S+):1:10: this byte is not part of a UTF-8 text/.exec(error) ?? [];
  t.is((await readFile(kept)).at(-1), 0xe9);
  t.is(node.applied.length, 0);
  await rm(dirname(kept), { recursive: true });
});

test('the editor is the one of the environment, else the one that the system has', (t) => {
  const named = { OS_EDITOR: 'code --wait', EDITOR: 'nano' };
  for (const platform of ['linux', 'win32'] as const) {
    t.deepEqual(editorOf(named, platform), ['code', '--wait']);
    t.deepEqual(editorOf({ OS_EDITOR: ' ', EDITOR: 'nano' }, platform), ['nano']);
  }
  t.deepEqual(editorOf({}, 'linux'), ['vi']);
  t.deepEqual(editorOf({}, 'win32'), ['notepad']);
});
