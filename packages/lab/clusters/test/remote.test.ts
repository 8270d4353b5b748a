import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';

import * as grpc from '@grpc/grpc-js';
import { Secret } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { RemoteProvision } from '../gen/nodecore-clusters-v1.js';
import { ClusterError } from '../src/index.ts';
import {
  ArtifactStore,
  RemoteClusters,
  remoteCredentials,
  type RemoteListen,
  type RemoteOptions,
  type RemoteRequest,
  serveRemote,
} from '../src/remote/index.ts';

const mib = 2 ** 20;
const show: RemoteRequest = { words: ['show'], arguments: [], flags: [] };

type Served = {
  readonly options: RemoteOptions;
  readonly port: number;
  readonly token: string;
  readonly crt: string;
  readonly artifacts: string;
  /** Requests that came so far that they were run. */
  readonly asked: readonly RemoteRequest[];
};

/** A server that says what it was asked, with a machine whose API echoes. */
async function served(
  t: ExecutionContext,
  maxBytes: number = 4 * mib,
  listen: RemoteListen = { host: '127.0.0.1', port: 0 },
): Promise<Served> {
  const directory = await temporaryDirectory(t);
  const credentials = await remoteCredentials(join(directory, 'credentials'));
  t.teardown(() => credentials[Symbol.dispose]());
  const artifacts = join(directory, 'artifacts');
  const asked: RemoteRequest[] = [];
  const machine = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
  machine.listen({ host: '127.0.0.1', port: 0 });
  await once(machine, 'listening');
  t.teardown(() => machine.close());
  const server = await serveRemote({
    listen,
    credentials,
    artifacts: new ArtifactStore(artifacts, maxBytes),
    run: async (request, { write }) => {
      asked.push(request);
      await write({ out: Buffer.from('said ') });
      await write({ error: Buffer.from('loud') });
      return { exitCode: 3, authorities: ['one'] };
    },
    doorOf: (cluster, name) => {
      if (cluster !== 'example' || name !== 'machine')
        return Promise.reject(new ClusterError('ERR_CLUSTER_NOT_FOUND', `no machine ${name}`));
      return Promise.resolve({ address: '127.0.0.1', port: (machine.address() as AddressInfo).port });
    },
  });
  t.teardown(() => server[Symbol.asyncDispose]());
  const token = credentials.newToken ?? '';
  const options = {
    endpoint: server.endpoint,
    token: Secret.take(Buffer.from(token)),
    trust: { fingerprint: credentials.fingerprint },
  };
  return {
    options,
    port: Number(server.endpoint.split(':').at(-1)),
    token,
    crt: credentials.crt,
    artifacts,
    asked,
  };
}

function opened(t: ExecutionContext, options: RemoteOptions): RemoteClusters {
  const remote = new RemoteClusters(options);
  t.teardown(() => remote[Symbol.dispose]());
  return remote;
}

test('what a command says comes with its end', async (t) => {
  const { options, asked } = await served(t);
  const remote = opened(t, options);
  const request = { ...show, arguments: ['a b'], flags: [{ name: 'name', value: 'x', bare: false }] };
  const said = { out: '', error: '' };
  let code: number | undefined;
  for await (const { out, error, end } of remote.run(request)) {
    said.out += Buffer.from(out).toString();
    said.error += Buffer.from(error).toString();
    code ??= end?.exitCode;
  }
  t.deepEqual(said, { out: 'said ', error: 'loud' });
  t.is(code, 3);
  t.deepEqual(asked, [request]);
  t.is((await remote.ping()).hostArch, 'amd64');
});

test('without the token nothing is read, run or joined, and another certificate is not told it', async (t) => {
  const { options, asked, artifacts } = await served(t);
  const stranger = opened(t, { ...options, token: Secret.take(Buffer.from('another-token-of-some-length')) });
  const denied = { instanceOf: ClusterError, code: 'ERR_CLUSTER_REMOTE_DENIED' };
  await t.throwsAsync(stranger.ping(), denied);
  await t.throwsAsync(stranger.run(show).next(), denied);
  const file = join(await temporaryDirectory(t), 'image');
  await writeFile(file, 'image');
  await t.throwsAsync(stranger.bring(file), denied);
  t.deepEqual(asked, []);
  t.deepEqual(await readdir(artifacts).catch(() => []), []);
  const elsewhere = opened(t, { ...options, trust: { fingerprint: randomBytes(32).toString('base64') } });
  await t.throwsAsync(elsewhere.ping(), denied);
});

test('an image comes once, whole and with its digest, and is a file for its owner alone', async (t) => {
  const { options, artifacts } = await served(t);
  const remote = opened(t, options);
  const file = join(await temporaryDirectory(t), 'image');
  const bytes = randomBytes(2.5 * mib);
  await writeFile(file, bytes);
  const sha256 = await remote.bring(file);
  t.is(sha256, createHash('sha256').update(bytes).digest('hex'));
  const path = join(artifacts, sha256);
  t.true(bytes.equals(await readFile(path)));
  const before = await stat(path);
  t.is(before.mode & 0o777, 0o600);
  await remote.bring(file);
  t.is((await stat(path)).ino, before.ino);
  t.deepEqual(await readdir(artifacts), [sha256]);
});

/** What a client that is not ours sends as an image. */
async function upload(
  { port, token, crt }: Served,
  messages: readonly { readonly sha256?: string; readonly data?: Uint8Array }[],
  cut = false,
): Promise<grpc.status> {
  const channel = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createSsl(Buffer.from(crt)), {
    'grpc.ssl_target_name_override': 'localhost',
  });
  const metadata = new grpc.Metadata();
  if (token !== '') metadata.set('authorization', `Bearer ${token}`);
  const { promise, resolve } = Promise.withResolvers<grpc.status>();
  const { path, requestSerialize, responseDeserialize } = RemoteProvision.uploadArtifact;
  const call = channel.makeClientStreamRequest(
    path,
    requestSerialize,
    responseDeserialize,
    metadata,
    (error) => resolve(error?.code ?? grpc.status.OK),
  );
  call.on('error', () => {});
  for (const message of messages) {
    const written = new Promise<void>((done) => call.write(message, () => done()));
    await Promise.race([written, promise]); // who is refused is not written to any more
  }
  if (cut) call.cancel();
  else call.end();
  const code = await promise;
  channel.close();
  return code;
}

test('an upload with another digest, a path, too much, a huge piece or a cut leaves nothing', async (t) => {
  const server = await served(t);
  const { artifacts } = server;
  const data = Buffer.from('image');
  const sha256 = createHash('sha256').update(data).digest('hex');
  const other = '0'.repeat(64);
  t.is(await upload({ ...server, token: '' }, [{ sha256 }, { data }]), grpc.status.UNAUTHENTICATED);
  t.is(await upload(server, [{ sha256: other }, { data }]), grpc.status.INVALID_ARGUMENT);
  for (const name of ['../../etc/passwd', '/etc/shadow', sha256.toUpperCase(), `${sha256}/..`, ''])
    t.is(await upload(server, [{ sha256: name }, { data }]), grpc.status.INVALID_ARGUMENT, name);
  t.is(await upload(server, []), grpc.status.INVALID_ARGUMENT);
  t.is(await upload(server, [{ sha256 }, { data: Buffer.alloc(mib + 1) }]), grpc.status.INVALID_ARGUMENT);
  const endless = Array.from({ length: 6 }, () => ({ data: Buffer.alloc(mib) }));
  t.is(await upload(server, [{ sha256: other }, ...endless]), grpc.status.FAILED_PRECONDITION);
  t.is(await upload(server, [{ sha256 }, { data }], true), grpc.status.CANCELLED);
  const nothing = async (): Promise<void> => {
    while ((await readdir(artifacts)).length > 0) await new Promise(setImmediate);
  };
  await nothing(); // the server hears of the cut after the client
  t.is(await upload(server, [{ sha256 }, { data }]), grpc.status.OK, 'what failed takes no room');
});

test('what lies in place of an image and is no file is no image; halves of a killed server go', async (t) => {
  const directory = await temporaryDirectory(t);
  const store = new ArtifactStore(directory, mib);
  const sha256 = 'a'.repeat(64);
  await symlink('/etc/passwd', join(directory, sha256));
  t.is(await store.find(sha256), undefined);
  await mkdir(join(directory, 'b'.repeat(64)));
  t.is(await store.find('b'.repeat(64)), undefined);
  await writeFile(join(directory, `${sha256}.x.part`), 'half');
  await store.sweep();
  t.false((await readdir(directory)).includes(`${sha256}.x.part`));
});

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

test('images that come at the same time have no more room together than one has', async (t) => {
  const directory = await temporaryDirectory(t);
  const store = new ArtifactStore(directory, 1.5 * mib);
  const [first, second] = [randomBytes(mib), randomBytes(mib)];
  const goesOn = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  async function* slowly(): AsyncGenerator<Uint8Array> {
    yield second.subarray(0, 1024);
    begun.resolve();
    await goesOn.promise;
    yield second.subarray(1024);
  }
  // It begins while nothing is there.
  const late = store.receive(digestOf(second), slowly());
  await begun.promise;
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield first;
  }
  await store.receive(digestOf(first), whole());
  goesOn.resolve();
  await t.throwsAsync(late, { code: 'ERR_CLUSTER_IMAGE', message: /no more fits/ });
  t.deepEqual(await readdir(directory), [digestOf(first)]);
  await rm(join(directory, digestOf(first)));
  async function* again(): AsyncGenerator<Uint8Array> {
    yield second;
  }
  await store.receive(digestOf(second), again());
  t.deepEqual(
    await readdir(directory),
    [digestOf(second)],
    'what failed, and what was removed, takes no room',
  );
});

test('a door leads to the API of its machine, both ways, and to nothing else', async (t) => {
  const { options } = await served(t);
  const remote = opened(t, options);
  const joined = async (cluster: string, name: string): Promise<string> => {
    const local = createServer(
      { allowHalfOpen: true },
      (socket) => void remote.joinDoor(socket, cluster, name),
    );
    local.listen({ host: '127.0.0.1', port: 0 });
    await once(local, 'listening');
    const socket = connect({ host: '127.0.0.1', port: (local.address() as AddressInfo).port });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.end(Buffer.alloc(3 * mib, 'x'));
    await new Promise((resolve) => socket.once('close', resolve));
    local.close();
    return Buffer.concat(chunks).toString();
  };
  t.is((await joined('example', 'machine')).length, 3 * mib);
  t.is(await joined('example', 'other'), '');
  t.is(await joined('../etc', 'machine'), '');
});

test('credentials are made once, for their owner alone, and a token that is guessed is refused', async (t) => {
  const directory = join(await temporaryDirectory(t), 'credentials');
  using first = await remoteCredentials(directory);
  using again = await remoteCredentials(directory);
  t.is(again.fingerprint, first.fingerprint);
  t.is(again.newToken, undefined);
  t.true(again.isToken(first.newToken ?? ''));
  t.false(again.isToken(''));
  for (const name of ['key.pem', 'token'])
    t.is((await stat(join(directory, name))).mode & 0o777, 0o600, name);
  const tokenFile = join(directory, 'short');
  await writeFile(tokenFile, 'secret\n');
  await t.throwsAsync(remoteCredentials(directory, { tokenFile }), { code: 'ERR_CLUSTER_REQUEST' });
});

test('a socket of this computer is for who serves alone, and known by its certificate, too', async (t) => {
  const path = join(await temporaryDirectory(t), 'clusters.sock');
  const { options, crt } = await served(t, mib, { path });
  t.is(options.endpoint, `unix:${path}`);
  t.is((await stat(path)).mode & 0o777, 0o600);
  for (const trust of [options.trust, { ca: crt }])
    t.is((await opened(t, { ...options, trust }).ping()).hostArch, 'amd64');
  const stranger = opened(t, { ...options, token: Secret.take(Buffer.from('another-token-of-some-length')) });
  await t.throwsAsync(stranger.ping(), { code: 'ERR_CLUSTER_REMOTE_DENIED' });
  await t.throwsAsync(served(t, mib, { path }), { code: 'EADDRINUSE' });
});

test('the socket of a server that was killed is taken, and a file is not', async (t) => {
  const directory = await temporaryDirectory(t);
  const [path, file] = [join(directory, 'clusters.sock'), join(directory, 'file')];
  const killed =
    "require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
  await once(spawn(process.execPath, ['-e', killed, path]), 'exit');
  t.true((await stat(path)).isSocket());
  t.is((await opened(t, (await served(t, mib, { path })).options).ping()).hostArch, 'amd64');
  await writeFile(file, 'of somebody');
  await t.throwsAsync(served(t, mib, { path: file }), { code: 'EADDRINUSE' });
  t.is(await readFile(file, 'utf8'), 'of somebody');
});

test('a call without the token ends at its headers, and nothing of its message is kept', async (t) => {
  const { port, crt, token } = await served(t);
  const session = connectHttp2(`https://127.0.0.1:${port}`, {
    ca: crt,
    checkServerIdentity: () => undefined,
  });
  t.teardown(() => session.destroy());
  const head = Buffer.alloc(5);
  head.writeUInt32BE(4 * mib, 1); // of a message that never comes
  const statusOf = async (method: string, authorization: string): Promise<unknown> => {
    const call = session.request({
      ':method': 'POST',
      ':path': `/nodecore.clusters.v1.RemoteProvision/${method}`,
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization,
    });
    call.on('error', () => {}).write(head);
    call.resume();
    const [headers] = (await once(call, 'response')) as [Record<string, string>];
    if (headers['grpc-status'] !== undefined) return headers['grpc-status'];
    const [trailers] = (await once(call, 'trailers')) as [Record<string, string>];
    return trailers['grpc-status'];
  };
  for (const method of ['Ping', 'StatArtifact', 'UploadArtifact', 'Run', 'Door'])
    for (const authorization of ['', 'Bearer another', `Basic ${token}`])
      t.is(await statusOf(method, authorization), String(grpc.status.UNAUTHENTICATED), method);
});
