import test from 'ava';
import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

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

test('logs come from the node, also those that are of no service', async (t) => {
  const ids = ['agent', 'etcd', 'kernel'];
  const node = await startFakeNode(t, {
    services: { logsContainers: (_call, answer) => answer(null, { ids }) },
  });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  t.deepEqual(await complete(['logs', ''], env), ids);
  t.deepEqual(await complete(['logs', 'k'], env), ['kernel']);
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

test('the value of a flag is completed in one word with it', async (t) => {
  const env = await clientConfig(t, { endpoints: ['10.0.0.1:51000'], nodes: ['10.0.0.8', '10.0.0.9:1'] });
  t.deepEqual(await complete(['get', '--context=te'], env), ['--context=test']);
  t.deepEqual(await complete(['apply', '--mode=s'], env), ['--mode=staged']);
  t.deepEqual(await complete(['reset', '--wait='], env), ['--wait=true', '--wait=false']);
  t.deepEqual(await complete(['get', 'disks', '--output=js'], env), ['--output=json', '--output=jsonpath=']);
  t.deepEqual(await complete(['version', '--nodes=10.0.0.9:'], env), ['--nodes=10.0.0.9:1']);
  t.deepEqual(await complete(['version', '-n', '10.0.0.8,10.0'], env), [
    '10.0.0.8,10.0.0.9:1',
    '10.0.0.8,10.0.0.1:51000',
  ]);
  t.deepEqual(await complete(['version', '--nodes=10.0.0.8,10.0.0.9'], env), ['--nodes=10.0.0.8,10.0.0.9:1']);
  t.deepEqual(await complete(['--context=test', 'ver'], env), ['version']);
  t.deepEqual(await complete(['version', '--client='], env), []);
});

test('files are completed where a file may stand, and nowhere else', async (t) => {
  const env = await clientConfig(t, { endpoints: ['127.0.0.1:1'] });
  for (const words of [
    ['apply', '-f', ''],
    ['apply', '--file=x'],
    ['validate', '--config', ''],
    ['config', 'merge', ''],
    ['kvstore', 'snapshot', ''],
    ['machineconfig', 'patch', 'x'],
    ['volume', 'header-restore', 'u-data', ''],
    ['--osconfig', ''],
  ])
    t.deepEqual(await complete(words, env), [':files'], words.join(' '));
  for (const words of [
    ['version', '-n', '127.0.0.2:'],
    ['get', '--context', 'nothing'],
    ['apply', '--mode=nothing'],
    ['nothing'],
    ['volume', 'recovery-key', 'nothing'],
    ['disks', ''],
  ])
    t.deepEqual(await complete(words, env), [], words.join(' '));
});
