import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { lstat, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { changeState, ClusterDirectory } from '@nodecore/clusters';
import {
  ArtifactStore,
  RemoteClusters,
  remoteCredentials,
  type RemoteRequest,
  type RemoteRun,
  serveRemote,
} from '@nodecore/clusters/remote';
import { Secret } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';
import type { Command } from 'commander';

import { osconfigText } from '../src/gen/osconfig.ts';
import { createNodeSecrets } from '../src/gen/secrets.ts';
import { bareFlags, hostFlags, imageFlags, isOwn, textFlags } from '../src/remote/flag-kinds.ts';
import { commandsFromAfar } from '../src/remote/perform.ts';
import { osctl } from './command-line.ts';
import { launchServer } from './remote-server.ts';
import { everyCommand, wholeProgram } from './whole-program.ts';

for (const listen of ['127.0.0.1:0', 'unix:'])
  test(`commands about clusters are run where the endpoint ${listen} says, with its words and exit codes`, async (t) => {
    const { endpoint, flags, token, said } = await launchServer(t, listen);
    t.true(endpoint.startsWith(listen.replace(/0$/, '')));
    const listed = await osctl(['cluster', 'list', '-o', 'json', ...flags]);
    t.deepEqual(listed, { code: 0, out: '[]\n', error: '' });
    const missing = await osctl(['cluster', 'show', '--name', 'nothing', ...flags]);
    t.is(missing.code, 3);
    t.regex(missing.error, /^osctl: no cluster nothing in .*state\/clusters: there is none\n$/);
    const wrong = await osctl([
      'cluster',
      'create',
      'vm',
      '--workers',
      'many',
      '--disks',
      'floppy:1',
      ...flags,
    ]);
    t.is(wrong.code, 2);
    t.regex(wrong.error, /--workers many.*"floppy" is none of/);
    t.is(said().split(token).length, 2, 'the token is shown once');
  });

test('what is missing or wrong about the other computer is said before anything is sent to it', async (t) => {
  const { endpoint, fingerprint, flags, directory } = await launchServer(t);
  const to = `--remote-endpoint=${endpoint}`;
  const env = { OSCTL_REMOTE_TOKEN: 'another-token-of-some-length' };
  for (const [more, code, words] of [
    [[to], 2, /give --remote-fingerprint/],
    [['--remote-fingerprint=x'], 2, /give --remote-endpoint, too/],
    [[to, `--remote-fingerprint=${fingerprint}`], 4, /token is missing, or another one/],
    [[...flags.slice(0, 1), `--remote-fingerprint=${'0'.repeat(64)}`, ...flags.slice(2)], 4, /fingerprint/],
    [['--remote-endpoint=127.0.0.1:1', ...flags.slice(1)], 5, /127\.0\.0\.1:1/],
    [['--remote-endpoint=127.0.0.1', ...flags.slice(1)], 2, /host:port/],
    [['--remote-endpoint=unix:/no/such.sock', ...flags.slice(1)], 5, /unix:\/no\/such\.sock/],
    [['--remote-endpoint=unix:x.sock', ...flags.slice(1)], 2, /an absolute path/],
  ] as const) {
    const outcome = await osctl(['cluster', 'create', 'dev', ...more], { env });
    t.is(outcome.code, code, outcome.error);
    t.regex(outcome.error, words);
  }
  t.deepEqual(await readdir(join(directory, 'artifacts')), []);
  const absent = await osctl(['cluster', 'create', 'dev', '--iso-path', '/no/such.iso', ...flags]);
  t.is(absent.code, 2);
  t.regex(absent.error, /--iso-path: ENOENT.*\/no\/such\.iso/);
});

test('a caller names no file of the other computer, and no command but those of clusters', async (t) => {
  const { endpoint, token, fingerprint, directory } = await launchServer(t);
  const trust = { fingerprint };
  using remote = new RemoteClusters({ endpoint, token: Secret.take(Buffer.from(token)), trust });
  const codeOf = async (request: Partial<RemoteRequest>): Promise<number | string | undefined> => {
    const whole = { words: ['create', 'vm'], arguments: [], flags: [], ...request };
    try {
      for await (const { end } of remote.run(whole)) if (end !== undefined) return end.exitCode;
      return undefined;
    } catch (error) {
      return (error as { readonly code: string }).code;
    }
  };
  const refused = 'ERR_CLUSTER_REQUEST';
  for (const [name, value] of [
    ['state', '/tmp'],
    ['osconfig', '/root/.os/config'],
    ['image-cache-path', '/etc'],
    ['extra-uefi-search-paths', '/etc'],
    ['remote-endpoint', 'elsewhere:1'],
    ['config-patch', '@/etc/shadow'],
    ['image-factory-auth', '@/etc/shadow'],
    ['iso-path', '/etc/shadow'],
    ['image', 'oci:/etc'],
    ['mount', 'type=bind,source=/etc,target=/x'],
    ['disk-image-path', 'artifact:../../../etc/shadow'],
    ['iso-path', 'file:///etc/shadow'],
    ['name', '../x'],
    ['name=x --state', '/tmp'],
  ] as const)
    t.is(await codeOf(withFlag(name, value)), refused, name);
  t.is(await codeOf(withFlag('disk-image-path', `artifact:${'0'.repeat(64)}`)), 'ERR_CLUSTER_NOT_FOUND');
  t.is(
    await codeOf(withFlag('iso-path', 'docker://127.0.0.1:5000/node:v1')),
    refused,
    'it is for containers',
  );
  const registry = [
    ...withFlag('image', 'docker://127.0.0.1:5000/node:v1').flags,
    ...withFlag('workers', 'many').flags,
  ];
  t.is(await codeOf({ words: ['create', 'container'], flags: registry }), 2, 'the other flag alone is wrong');
  t.is(await codeOf(withFlag('cidr', '', true)), refused, 'it would take the next flag for its value');
  for (const words of [['doors'], ['create', 'all'], ['list', '--state=/tmp'], [], ['..']])
    t.is(await codeOf({ words }), refused, words.join(' '));
  // What stands behind the flags is never one of them.
  t.is(await codeOf({ words: ['logs'], arguments: ['--state=/tmp'] }), 3);
  t.deepEqual((await readdir(directory)).toSorted(), ['artifacts', 'credentials']);
});

/** A server that does what a test wants; the words that lead `osctl cluster` to it. */
async function serving(t: ExecutionContext, directory: string, run: RemoteRun): Promise<readonly string[]> {
  const credentials = await remoteCredentials(join(directory, 'credentials'));
  t.teardown(() => credentials[Symbol.dispose]());
  const server = await serveRemote({
    listen: { host: '127.0.0.1', port: 0 },
    credentials,
    artifacts: new ArtifactStore(join(directory, 'artifacts'), 0),
    run,
    doorOf: () => Promise.reject(new Error('no machine is asked for')),
  });
  t.teardown(() => server[Symbol.asyncDispose]());
  const token = join(directory, 'token');
  await writeFile(token, credentials.newToken ?? '', { mode: 0o600 });
  return [
    `--remote-endpoint=${server.endpoint}`,
    `--remote-fingerprint=${credentials.fingerprint}`,
    `--remote-token-file=${token}`,
  ];
}

test('the logs of a cluster that is gone are kept although something of it is left, and only all of them', async (t) => {
  const directory = await temporaryDirectory(t);
  const archive = join(directory, 'logs.tar.gz');
  let breaksOff = true;
  const flags = await serving(t, directory, async (_request, { write }) => {
    await write({ archive: Buffer.from('all the ') });
    if (breaksOff) throw new Error('the disk there fails');
    await write({ archive: Buffer.from('logs') });
    return { exitCode: 6 };
  });
  const destroy = ['cluster', 'destroy', '--save-cluster-logs-archive-path', archive, ...flags];
  t.not((await osctl(destroy)).code, 0);
  t.false((await readdir(directory)).some((name) => name.startsWith('logs')));
  breaksOff = false;
  t.is((await osctl(destroy)).code, 6);
  t.is(await readFile(archive, 'utf8'), 'all the logs');
  t.is((await stat(archive)).mode & 0o777, 0o600);
});

test('what the nodes knew of themselves comes from afar beside the logs, and takes the place of no other file', async (t) => {
  const directory = await temporaryDirectory(t);
  const [logs, support] = ['logs.tar.gz', 'support.zip'].map((name) => join(directory, name)) as [
    string,
    string,
  ];
  let asked: readonly string[] = [];
  const flags = await serving(t, directory, async (request, { write }) => {
    asked = request.flags.map(({ name, value }) => `${name}=${value}`);
    await write({ support: Buffer.from('of nodes') });
    await write({ archive: Buffer.from('of logs') });
    return { exitCode: 0 };
  });
  const to = ['--save-cluster-logs-archive-path', logs, '--save-support-archive-path', support];
  const destroy = ['cluster', 'destroy', ...to, ...flags];
  t.is((await osctl(destroy)).code, 0);
  t.deepEqual(asked.toSorted(), ['save-cluster-logs-archive-path=', 'save-support-archive-path=']);
  t.is(await readFile(logs, 'utf8'), 'of logs');
  t.is(await readFile(support, 'utf8'), 'of nodes');
  t.is((await stat(support)).mode & 0o777, 0o600);
  asked = [];
  const again = await osctl(destroy);
  t.not(again.code, 0);
  t.true(again.error.includes(support), again.error);
  t.deepEqual(asked, [], 'nothing is destroyed then');
});

test('the context of a cluster from afar goes with it, also where something of it was left', async (t) => {
  const { directory, flags } = await launchServer(t);
  const home = await temporaryDirectory(t);
  const osconfig = join(home, 'osconfig');
  const secrets = await createNodeSecrets();
  await writeFile(osconfig, await osconfigText('half', ['192.0.2.1'], secrets));
  const crt = new X509Certificate(Buffer.from(secrets.certs.os.crt, 'base64'));
  const cluster = new ClusterDirectory(join(directory, 'clusters'), 'half');
  await cluster.make();
  const file = join(home, 'torn'); // a client config of that computer, which nobody can read
  await writeFile(file, 'contexts: [');
  const caFingerprint = createHash('sha256').update(crt.raw).digest('hex');
  await changeState(cluster, { contexts: [{ file, context: 'half', caFingerprint }] });
  const destroy = ['cluster', 'destroy', '--name', 'half', '--osconfig', osconfig, ...flags];
  t.not((await osctl(destroy)).code, 0);
  t.true((await readFile(osconfig, 'utf8')).includes('half'), 'it is there, and is known by its context');
  const forced = await osctl([...destroy, '--force']);
  t.is(forced.code, 1, forced.error);
  t.regex(forced.error, /its directory is gone/);
  t.false((await readFile(osconfig, 'utf8')).includes('half'));
});

test('logs from afar take the place of no device, and nothing is destroyed then', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, 'socket'); // as good as /dev/null, and nobody else's
  const socket = createServer();
  socket.listen(path);
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  let asked = 0;
  const flags = await serving(t, directory, async (_request, { write }) => {
    asked += 1;
    await write({ archive: Buffer.from('logs') });
    return { exitCode: 0 };
  });
  const outcome = await osctl(['cluster', 'destroy', '--save-cluster-logs-archive-path', path, ...flags]);
  t.not(outcome.code, 0);
  t.regex(outcome.error, /is a device, a pipe or a socket/);
  t.true((await lstat(path)).isSocket());
  t.is(asked, 0);
});

test('the server refuses what it can’t listen at or take for a certificate, in words about its flags', async (t) => {
  const directory = await temporaryDirectory(t);
  for (const [more, words] of [
    [['--listen', 'nowhere'], /--listen nowhere: host:port/],
    [['--listen', 'unix:run/x.sock'], /--listen unix:run\/x\.sock: an absolute path/],
    [['--listen', `unix:/${'x'.repeat(107)}`], /: its path has 108 bytes, and sockets 107 at most/],
    [['--listen', '192.0.2.1:1'], /--listen 192\.0\.2\.1:1: /],
    [['--tls-cert-file', '/etc/hostname'], /go together/],
    [['--max-cache', 'much'], /--max-cache much: a size/],
  ] as const) {
    const { code, error } = await osctl(['remote-provision-launch', '--state-dir', directory, ...more]);
    t.is(code, 2, error);
    t.regex(error, words);
  }
});

function withFlag(name: string, value: string, bare = false): Pick<RemoteRequest, 'flags'> {
  return { flags: [{ name, value, bare }] };
}

test('every flag that names a file, or stands alone, says what it is from afar', async (t) => {
  const cluster = (await wholeProgram()).commands.find((command) => command.name() === 'cluster');
  const served = everyCommand(cluster!).filter((command) => commandsFromAfar.has(pathBelowCluster(command)));
  t.is(served.length, commandsFromAfar.size);
  for (const command of served)
    for (const option of command.options) {
      const name = option.long!.slice(2);
      const where = `${pathBelowCluster(command)} ${option.flags}`;
      if (/<(?:file|directory|path|dir)\b/.test(option.flags))
        t.true(imageFlags.has(name) || hostFlags.has(name) || isOwn(name), where);
      if (/@<file>/.test(option.description)) t.true(textFlags.has(name), where);
      if (option.isBoolean()) t.true(bareFlags.has(name) || isOwn(name), where);
    }
});

function pathBelowCluster(command: Command): string {
  const words: string[] = [];
  for (let next: Command | null = command; next !== null && next.name() !== 'cluster'; next = next.parent)
    words.unshift(next.name());
  return words.join(' ');
}
