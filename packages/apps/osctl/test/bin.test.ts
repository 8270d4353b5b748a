import { command, temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import { spawn } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../bin/osctl.js', import.meta.url));
const env = { HOME: '/nonexistent', OSCONFIG: '' };

function osctl(...args: readonly string[]): ReturnType<typeof command> {
  return command([process.execPath, bin, ...args], { env });
}

const outcomes: readonly (readonly [string, readonly string[], number])[] = [
  ['help is no failure', ['--help'], 0],
  ['help of a command is no failure', ['help', 'get'], 0],
  ['no command is a usage error', [], 2],
  ['an unknown command is a usage error', ['gte'], 2],
  ['help of a command that is not there is a usage error', ['absent', '--help'], 2],
  ['the version is no failure', ['--version'], 0],
  ['an unknown flag is a usage error', ['version', '--sort'], 2],
  ['no client config is a failure', ['version'], 1],
  ['nobody listening is unreachable', ['version', '-i', '-n', '127.0.0.1:1'], 5],
];

for (const [title, args, code] of outcomes)
  test(`${title}: exit code ${code}`, async (t) => {
    const result = await osctl(...args);
    t.is(result.code, code, result.stderr);
    t.is(result.stderr.includes('    at '), false, 'no stack trace');
  });

test('data goes to standard output and errors to standard error', async (t) => {
  const good = await osctl('version', '--client', '--short');
  t.regex(good.stdout, /^Client: \S+\n$/);
  t.is(good.stderr, '');
  const bad = await osctl('gte');
  t.is(bad.stdout, '');
  t.is(bad.stderr, "osctl: unknown command 'gte' (Did you mean get?); see osctl --help\n");
});

test('an output that has no room is a failure that says so', async (t) => {
  const { code, stderr } = await command(
    ['sh', '-c', 'exec "$0" "$@" > /dev/full', process.execPath, bin, 'version', '--client'],
    { env },
  );
  t.is(code, 1);
  t.is(stderr, 'standard output: no space left on the disk\n');
});

test('every command has help, and names the flags of the specification', async (t) => {
  for (const name of ['apply-config', 'get', 'disks', 'mounts', 'cgroups', 'pressure', 'version']) {
    const { stdout } = await osctl(name, '--help');
    for (const flag of [
      '--nodes',
      '--endpoints',
      '--context',
      '--cluster',
      '--osconfig',
      '--authv1-keys-dir',
    ])
      t.true(stdout.includes(flag), `${name} ${flag}`);
  }
});

test('modules are kept compiled in the cache of the user, and nothing is left where everybody may write', async (t) => {
  const home = await temporaryDirectory(t);
  const shared = await temporaryDirectory(t);
  for (const program of [
    'apps/osctl/bin/osctl.js',
    'apps/agent/bin/nodecore-agent.js',
    'apps/key-server/bin/nodecore-kms.js',
  ]) {
    const path = fileURLToPath(new URL(`../../../${program}`, import.meta.url));
    const cache = join(home, program);
    await mkdir(cache, { recursive: true });
    await command([process.execPath, path, '--help'], {
      env: { HOME: home, XDG_CACHE_HOME: cache, TMPDIR: shared, NODE_COMPILE_CACHE: undefined },
    });
    t.deepEqual(await readdir(cache), ['nodecore'], program);
    t.is((await readdir(join(cache, 'nodecore'))).length, 1, program);
  }
  t.deepEqual(await readdir(shared), []);
});

test('programs start without the second HTTP client that an import of node:http brings along', async (t) => {
  const tell =
    "process.on('exit', () => console.error(process.moduleLoadList.filter((name) => /undici/.test(name)).join()))";
  for (const name of [
    'apps/osctl/bin/osctl.js',
    'apps/agent/bin/nodecore-agent.js',
    'apps/key-server/bin/nodecore-kms.js',
  ]) {
    const path = fileURLToPath(new URL(`../../../${name}`, import.meta.url));
    const argv = ['--import', `data:text/javascript,${encodeURIComponent(tell)}`, path, '--help'];
    const { code, stderr } = await command([process.execPath, ...argv]);
    t.deepEqual({ code, stderr }, { code: 0, stderr: '\n' }, name);
  }
});

test('programs say in one line that this Node.js is too old for them', async (t) => {
  const old = `Object.defineProperties(process, {
    version: { value: 'v20.20.2' },
    versions: { value: { ...process.versions, node: '20.20.2' } },
  })`;
  for (const name of [
    'apps/osctl/bin/osctl.js',
    'apps/agent/bin/nodecore-agent.js',
    'apps/key-server/bin/nodecore-kms.js',
  ]) {
    const path = fileURLToPath(new URL(`../../../${name}`, import.meta.url));
    const argv = ['--import', `data:text/javascript,${encodeURIComponent(old)}`, path, '--help'];
    const { code, stdout, stderr } = await command([process.execPath, ...argv]);
    t.deepEqual({ code, stdout }, { code: 1, stdout: '' }, name);
    t.regex(stderr, /^[a-z-]+ needs Node\.js 22\.13 or newer, and this is v20\.20\.2: .+\n$/, name);
  }
});

test('a reader that has seen enough is no failure', async (t) => {
  const child = spawn(process.execPath, [bin, 'get', '--help'], { env: { ...process.env, ...env } });
  child.stdout.destroy();
  const code = await new Promise((resolve) => child.once('exit', resolve));
  t.is(code, 0);
});
