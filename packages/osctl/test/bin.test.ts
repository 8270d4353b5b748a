import { command } from '@nodecore/testkit';
import test from 'ava';
import { spawn } from 'node:child_process';
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

test('a reader that has seen enough is no failure', async (t) => {
  const child = spawn(process.execPath, [bin, 'get', '--help'], { env: { ...process.env, ...env } });
  child.stdout.destroy();
  const code = await new Promise((resolve) => child.once('exit', resolve));
  t.is(code, 0);
});
