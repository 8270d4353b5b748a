import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { relativeTime } from '@nodecore/cli';
import test, { type ExecutionContext } from 'ava';

import { Osconfig } from '@nodecore/api';
import type { GenerateClientConfigurationRequest } from '@nodecore/api/machine';
import * as pki from '@nodecore/pki';
import { temporaryDirectory } from '@nodecore/testkit';
import { clientConfig, osctl, type Outcome } from './command-line.ts';
import { authority, startFakeNode } from './fake-node.ts';

type Config = {
  readonly run: (...args: string[]) => Promise<Outcome>;
  readonly path: string;
  readonly directory: string;
};

async function configOf(t: ExecutionContext, text: string): Promise<Config> {
  const directory = await temporaryDirectory(t);
  const path = join(directory, 'config');
  await writeFile(path, text);
  return { path, directory, run: (...args) => osctl(['config', ...args], { env: { OSCONFIG: path } }) };
}

const two = 'context: a\ncontexts:\n  a: {endpoints: [x]}\n  b: {endpoints: [y], nodes: [n1, n2, n3, n4]}\n';

test('contexts are listed in JSON, whole', async (t) => {
  const { run } = await configOf(t, two);
  t.deepEqual(JSON.parse((await run('contexts', '-o', 'json')).out), [
    { name: 'a', current: true, endpoints: ['x'], nodes: [] },
    { name: 'b', current: false, endpoints: ['y'], nodes: ['n1', 'n2', 'n3', 'n4'] },
  ]);
  t.is((await run('contexts', '-o', 'jsonpath={range .items[*]}{.name}{"\\n"}{end}')).out, 'a\nb\n');
});

test('contexts lists them, the current one marked and long lists cut', async (t) => {
  const { run } = await configOf(t, two);
  const { out } = await run('contexts');
  t.deepEqual(
    out.split('\n').map((line) => line.split(/ {3,}/u)),
    [['CURRENT', 'NAME', 'ENDPOINTS', 'NODES'], ['*', 'a', 'x'], ['', 'b', 'y', 'n1,n2,n3,...'], ['']],
  );
});

test('info shows the roles and the expiry of the certificate in use', async (t) => {
  const ca = await pki.createCA('lab');
  const client = await pki.issueClient(ca, { roles: ['os:reader'], lifetimeMs: 3 * 86_400_000 + 60_000 });
  const config = Osconfig.empty('config');
  config.set('lab', { endpoints: ['x'], ca: ca.crt, crt: client.crt, key: client.key });
  config.use('lab');
  const { run } = await configOf(t, config.encode().toString());
  const { out } = await run('info');
  t.regex(out, /^Current context: {6}lab\nNodes: {16}not set\nEndpoints: {12}x\nRoles: {16}os:reader\n/u);
  t.regex(out, /Certificate expires: {2}in 3 days \(\d{4}-\d\d-\d\d\)/u);
  t.like(JSON.parse((await run('info', '-o', 'json')).out), {
    context: 'lab',
    roles: ['os:reader'],
    nodes: [],
  });
  t.regex((await run('info', '-o', 'yaml')).out, /^context: lab$/mu);
});

test('context, endpoint and node change the file, which stays private', async (t) => {
  const { run, path } = await configOf(t, two);
  t.is((await run('context', 'b')).code, 0);
  t.is((await run('endpoints', '10.0.0.1', '10.0.0.2:50001')).code, 0);
  t.is((await run('node', 'z')).code, 0);
  const config = Osconfig.parse(await readFile(path, 'utf8'), path);
  t.like(config.context(), { name: 'b', endpoints: ['10.0.0.1', '10.0.0.2:50001'], nodes: ['z'] });
  t.is((await stat(path)).mode & 0o777, 0o600);
  t.is((await run('nodes')).code, 0);
  t.deepEqual(Osconfig.parse(await readFile(path, 'utf8'), path).context().nodes, []);
});

test('a context that is not there is named with those that are', async (t) => {
  const { run } = await configOf(t, two);
  const { code, error } = await run('context', 'c');
  t.is(code, 1);
  t.regex(error, /context "c" not found in .*: it has a, b; see osctl config contexts/u);
  t.is((await run('endpoint', 'a:99999')).code, 2);
});

test('merge reports every context that it had to rename', async (t) => {
  const { run, path, directory } = await configOf(t, two);
  const other = join(directory, 'other');
  await writeFile(other, 'context: b\ncontexts: {b: {endpoints: [q]}}\n');
  const { code, error } = await run('merge', other);
  t.is(code, 0);
  t.is(error, 'renamed context "b" to "b-1": the name was taken\n');
  t.is(Osconfig.parse(await readFile(path, 'utf8'), path).current, 'b-1');
  t.is((await run('merge', join(directory, 'none'))).code, 2);
});

test('add takes certificate and key together and leaves another context of its name alone', async (t) => {
  const { run, path, directory } = await configOf(t, two);
  const ca = await pki.createCA('lab');
  const crt = join(directory, 'ca.crt');
  await writeFile(crt, ca.crt);
  t.is((await run('add', 'c', '--ca', crt)).code, 0);
  t.is(Osconfig.parse(await readFile(path, 'utf8'), path).context('c').ca, ca.crt);
  t.is((await run('add', 'd', '--crt', crt)).code, 2);
  t.is((await run('add', 'a')).code, 2);
  t.is((await run('add', 'e', '--ca', path)).code, 1);
});

test('remove asks, spares the current context and only says so in a dry run', async (t) => {
  const { run, path } = await configOf(t, two.replace('  b:', '  b1: {endpoints: [z]}\n  b:'));
  t.is((await run('remove', 'b*', '--dry-run')).out, 'would remove context "b1"\nwould remove context "b"\n');
  const unasked = await run('remove', 'b*');
  t.is(unasked.code, 2);
  t.regex(unasked.error, /give --yes/u);
  t.is(
    (await run('remove', '*', '-y')).error,
    'context "a" is current and stays\nremoved context "b1"\nremoved context "b"\n',
  );
  t.deepEqual(Osconfig.parse(await readFile(path, 'utf8'), path).names, ['a']);
  t.is((await run('remove', 'b?')).code, 1);
});

test('merge and remove tell programs of every context', async (t) => {
  const { run, path, directory } = await configOf(t, two);
  const other = join(directory, 'other');
  await writeFile(other, 'context: b\ncontexts: {b: {endpoints: [q]}, c: {endpoints: [r]}}\n');
  t.deepEqual(JSON.parse((await run('merge', other, '-o', 'json')).out), [
    { context: 'b-1', from: 'b' },
    { context: 'c', from: 'c' },
  ]);
  const states = async (...flags: readonly string[]): Promise<unknown> =>
    JSON.parse((await run('remove', 'b*', '-o', 'json', ...flags)).out);
  t.deepEqual(await states('--dry-run'), [
    { context: 'b', state: 'planned' },
    { context: 'b-1', state: 'current' },
  ]);
  t.deepEqual(await states('-y'), [
    { context: 'b', state: 'removed' },
    { context: 'b-1', state: 'current' },
  ]);
  t.deepEqual(Osconfig.parse(await readFile(path, 'utf8'), path).names, ['a', 'b-1', 'c']);
});

test('differences of time are given in their largest unit', (t) => {
  t.is(relativeTime(365 * 86_400_000), 'in 1 year');
  t.is(relativeTime(90_000), 'in 1 minute');
  t.is(relativeTime(-2 * 3_600_000 - 1), '2 hours ago');
  t.is(relativeTime(10), 'in 0 minutes');
});

test('new writes a config for its owner, with a key that was made here, and never over another file', async (t) => {
  const requests: GenerateClientConfigurationRequest[] = [];
  const node = await startFakeNode(t, {
    machine: {
      generateClientConfiguration: ({ request }, answer) => {
        requests.push(request);
        void pki
          .signClientCSR(authority, request.csr, { roles: request.roles })
          .then((crt) => answer(null, { ca: authority.crt, crt, clusterName: 'home' }));
      },
    },
  });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const file = join(await temporaryDirectory(t), 'new');
  const args = ['config', 'new', file, '--roles', 'os:reader', '--crt-ttl', '24h', '--json'];
  const { code, out, error } = await osctl(args, { env });
  t.is(code, 0, error);
  t.deepEqual(JSON.parse(out), { file, context: 'os:reader@home', roles: ['os:reader'] });
  t.is((await stat(file)).mode & 0o777, 0o600);
  t.is(requests[0]?.ttlMillis, 86_400_000n);
  const written = { OSCONFIG: file };
  const info = await osctl(['config', 'info', '-o', 'json'], { env: written });
  t.like(JSON.parse(info.out), {
    context: 'os:reader@home',
    endpoints: [node.endpoint],
    roles: ['os:reader'],
  });
  t.is((await osctl(['version'], { env: written })).code, 0, 'the key belongs to the certificate');
  t.is((await osctl(args, { env })).code, 2);
  t.is((await osctl(['config', 'new', `${file}2`, '--roles', 'os:root'], { env })).code, 2);
  t.is(requests.length, 1);
  const several = await osctl(['config', 'new', `${file}3`, '--roles', 'os:reader,os:capture', '--json'], {
    env,
  });
  t.like(JSON.parse(several.out), { context: 'home' });
});

test('proxy-url is set, shown without its password, and cleared; what is no proxy is refused', async (t) => {
  const { run, path } = await configOf(t, two);
  t.is((await run('proxy-url')).out, '');
  t.is((await run('proxy-url', 'http://u:secret@proxy:3128')).code, 0);
  t.is((await run('proxy-url')).out, 'http://u:***@proxy:3128\n');
  const info = JSON.parse((await run('info', '-o', 'json')).out) as Record<string, unknown>;
  t.is(info['proxyUrl'], 'http://u:***@proxy:3128');
  t.regex((await run('info')).out, /^Proxy: {16}http:\/\/u:\*\*\*@proxy:3128$/mu);
  t.true((await readFile(path, 'utf8')).includes('proxy-url: http://u:secret@proxy:3128'));
  const refused = await run('proxy-url', 'ftp://u:secret@proxy');
  t.is(refused.code, 2);
  t.false(refused.error.includes('secret'));
  t.is((await run('proxy-url', 'direct')).code, 0);
  t.is((await run('proxy-url')).out, 'direct\n');
  t.is((await run('proxy-url', '')).code, 0);
  t.false((await readFile(path, 'utf8')).includes('proxy-url'));
  await run('proxy-url', 'socks5://x', '--context', 'b');
  t.is((await run('proxy-url')).out, '');
  t.is((await run('proxy-url', '--context', 'b')).out, 'socks5://x\n');
});

test('a context gets another name in its place, stays current, and takes nobody else’s', async (t) => {
  const { run, path } = await configOf(t, `# mine\n${two}`);
  t.is((await run('rename', 'a', 'first')).code, 0);
  t.regex(
    await readFile(path, 'utf8'),
    /^# mine\ncontext: first\ncontexts:\n {2}first:[^\n]*x[^\n]*\n {2}b:/u,
  );
  t.is((await run('rename', 'b', 'second')).code, 0);
  t.deepEqual(
    (JSON.parse((await run('contexts', '-o', 'json')).out) as { name: string; current: boolean }[]).map(
      ({ name, current }) => [name, current],
    ),
    [
      ['first', true],
      ['second', false],
    ],
  );
  const before = await readFile(path, 'utf8');
  for (const [from, to, words] of [
    ['first', 'second', 'exists'],
    ['first', 'first', 'exists'],
    ['none', 'new', 'not found'],
  ] as const) {
    const { code, error } = await run('rename', from, to);
    t.not(code, 0);
    t.true(error.includes(words), error);
  }
  t.is(await readFile(path, 'utf8'), before);
});

test('a client config of somebody else moves no cursor, and turns no text around', async (t) => {
  const file = join(await temporaryDirectory(t), 'config');
  const name = '"a\\e[2J\\u202Eb"';
  await writeFile(
    file,
    `context: ${name}\ncontexts: {${name}: {endpoints: ["1.2.3.4", "\\ex"], nodes: ["10.0.0.1\\nRoles: os:admin"]}}\n`,
  );
  for (const words of [['info'], ['contexts']]) {
    const { code, out, error } = await osctl(['config', ...words, '--osconfig', file]);
    t.is(code, 0, error);
    t.true(out.includes('a?[2J?b'), out);
    t.true(out.includes('10.0.0.1?Roles: os:admin'), out);
    // oxlint-disable-next-line no-control-regex -- these are the ones
    t.notRegex(out, /[\u0000-\u0009\u000b-\u001f\u202e]/u);
  }
});
