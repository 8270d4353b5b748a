import { command, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test from 'ava';
import { symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

const bin = fileURLToPath(new URL('../bin/osctl.js', import.meta.url));

async function complete(words: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  const { out, error } = await osctl(['__complete', '--', ...words], { env });
  return error === '' ? out.split('\n').flatMap((line) => line.split('\t')[0] || []) : [error];
}

test('commands, flags and the choices of a flag are completed', async (t) => {
  t.deepEqual(await complete(['ver']), ['version']);
  t.deepEqual(await complete(['get', '--o']), ['--output', '--osconfig']);
  t.deepEqual(await complete(['-n', 'a', 'get', 'disks', '-o', 'j']), ['json', 'jsonpath=']);
  t.deepEqual(await complete(['apply', '--mode', '']), ['auto', 'no-reboot', 'staged', 'try']);
  t.deepEqual(await complete(['completion', '']), ['bash', 'zsh', 'fish']);
  t.false((await complete([''])).includes('__complete'));
});

test('contexts, endpoints and nodes come from the client config', async (t) => {
  const env = await clientConfig(t, { endpoints: ['10.0.0.1'], nodes: ['10.0.0.8', '10.0.0.9'] });
  t.deepEqual(await complete(['get', '--context', ''], env), ['test']);
  t.deepEqual(await complete(['-e', ''], env), ['10.0.0.1']);
  t.deepEqual(await complete(['version', '-n', ''], env), ['10.0.0.8', '10.0.0.9', '10.0.0.1']);
});

test('types and ids come from the node', async (t) => {
  const node = await startFakeNode(t);
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  t.deepEqual(await complete(['get', 'disk'], env), ['disks']);
  t.deepEqual(await complete(['get', 'disks', ''], env), ['nvme0n1']);
  t.deepEqual(await complete(['get', 'disks', '--why', 'nv'], env), ['nvme0n1']);
});

test('a node that is too slow completes nothing, and how slow that is can be said', async (t) => {
  const node = await startFakeNode(t);
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  t.deepEqual(await complete(['get', 'dis'], { ...env, OSCTL_COMPLETION_TIMEOUT: '1ms' }), []);
  t.true((await complete(['get', 'dis'], { ...env, OSCTL_COMPLETION_TIMEOUT: '60s' })).includes('disks'));
});

test('a node that does not answer completes nothing and says nothing', async (t) => {
  t.deepEqual(await complete(['get', '-i', '-n', '127.0.0.1:1', '']), []);
});

testWith(program('bash'))('bash completes with the script', async (t) => {
  const { out: script } = await osctl(['completion', 'bash']);
  const directory = await temporaryDirectory(t);
  await symlink(bin, join(directory, 'osctl'));
  const line = 'COMP_WORDS=(osctl get disks -o js); COMP_CWORD=4; _osctl; printf "%s\\n" "${COMPREPLY[@]}"';
  const result = await command(['bash', '-c', `${script}\n${line}`], {
    env: { PATH: `${directory}:${dirname(process.execPath)}:${process.env['PATH']}` },
  });
  t.is(result.stdout, 'json\njsonpath=\n', result.stderr);
});
