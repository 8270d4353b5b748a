import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { createCA, issueServer } from '@nodecore/pki';
import { digestOf, mediaTypes, parseManifest, RegistryClient } from '@nodecore/oci';
import { codeOf } from '@nodecore/sys';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test from 'ava';

import { crypt } from '../src/passwords/ffi.ts';
import { RegistrySchematics } from '../src/schematics/registry-schematics.ts';
import type { SchematicRegistryOptions } from '../src/schematics/registry-options.ts';
import { dockerRegistry } from './docker-registry.ts';

const idOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const textOf = (argument: string): string =>
  `customization:\n    extraKernelArgs:\n        - jointoken=hunter2 ${argument} \u{1f4be}\n`;
const repository = 'os/schematics';
const withRegistry = testWith(program('docker-registry'));

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

withRegistry('what one factory has put into a registry the other has, byte for byte', async (t) => {
  const registry = await dockerRegistry(t);
  await using a = await RegistrySchematics.open({ registry, repository });
  await using b = await RegistrySchematics.open({ registry, repository });
  const text = textOf('quiet');
  const id = idOf(text);
  t.is(await b.get(id), undefined);
  t.is(await b.get('../x'), undefined);
  t.true(await a.put(id, text));
  t.is(await b.get(id), text);
  t.false(await b.put(id, text));
  t.true(await b.isAnswering());

  const texts = Array.from({ length: 10 }, (_, index) => textOf(`n=${index}`));
  await Promise.all(texts.flatMap((each) => [a.put(idOf(each), each), b.put(idOf(each), each)]));
  await using c = await RegistrySchematics.open({ registry, repository });
  for (const each of texts) t.is(await c.get(idOf(each)), each);

  const found = parseManifest((await new RegistryClient(registry).manifest(repository, id)).bytes);
  t.is(found.kind, 'manifest');
  if (found.kind === 'manifest')
    t.deepEqual(
      found.manifest.layers.map(({ digest }) => digest),
      [`sha256:${id}`],
    );
});

test('a registry that refuses while another factory gives it the same blobs is asked again, and not for ever', async (t) => {
  let refusals = 2;
  let halves = 1; // blobs of which it has half
  let halfTags = 1;
  const pushed: string[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request;
    if (url.includes('/blobs/')) {
      halves -= 1;
      response.statusCode = halves >= 0 ? 500 : 200; // all are there
    } else if (method === 'PUT') {
      pushed.push(url.split('/').at(-1) ?? '');
      refusals -= 1;
      response.statusCode = refusals >= 0 ? 400 : 201;
    } else {
      // One is looked for when a store is opened: nothing of that is given at the same time.
      halfTags -= url.endsWith('0') ? 0 : 1;
      response.statusCode = halfTags >= 0 && !url.endsWith('0') ? 500 : 404;
    }
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const registry = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using store = await RegistrySchematics.open({ registry, repository });
  const [first, second] = [textOf('first'), textOf('second')];
  t.true(await store.put(idOf(first), first));
  t.deepEqual(
    pushed,
    Array.from({ length: 3 }, () => idOf(first)),
  );
  refusals = Infinity;
  await t.throwsAsync(store.put(idOf(second), second), {
    code: 'ERR_FACTORY_STORE',
    message: /ERR_OCI_ANSWER/,
  });
  t.is(pushed.filter((id) => id === idOf(second)).length, 4);
});

withRegistry(
  'bytes without their tag are no schematic, and a tag of another one gives nothing of it',
  async (t) => {
    const registry = await dockerRegistry(t);
    await using store = await RegistrySchematics.open({ registry, repository });
    const client = new RegistryClient(registry);
    const text = textOf('half');
    const blob = { digest: digestOf(Buffer.from(text)), size: Buffer.byteLength(text) };
    // As a factory leaves it that is killed between the two.
    await client.pushBlob(repository, blob, () => bytesOf(text));
    t.is(await store.get(idOf(text)), undefined);
    t.true(await store.put(idOf(text), text));
    t.is(await store.get(idOf(text)), text);

    const { bytes } = await client.manifest(repository, idOf(text));
    const other = idOf(textOf('other'));
    await client.pushManifest(repository, other, { bytes, mediaType: mediaTypes.manifest });
    const error = await t.throwsAsync(store.get(other), { code: 'ERR_FACTORY_STORE' });
    t.notRegex(inspect(error, { depth: 9 }), /hunter2/);
    await t.throwsAsync(store.put(idOf('a'), 'b'), { code: 'ERR_FACTORY_STORE' });
  },
);

withRegistry(
  'a registry that asks who it is lets in who is in a file, and others are told which key is wrong',
  async (t) => {
    const directory = await temporaryDirectory(t);
    const [htpasswd, credentialsPath] = [join(directory, 'htpasswd'), join(directory, 'credentials')];
    const hash = await crypt(Buffer.from('hunter2\0'), '$2y$04$abcdefghijklmnopqrstuu');
    await writeFile(htpasswd, `factory:${hash.toString().replace(/\0.*$/s, '')}\n`);
    const registry = await dockerRegistry(t, { htpasswd });
    const refusalOf = async (changes: Partial<SchematicRegistryOptions>): Promise<string> => {
      const error: unknown = await RegistrySchematics.open({ registry, repository, ...changes }).catch(
        (found: unknown) => found,
      );
      t.notRegex(inspect(error, { depth: 9, showHidden: true }), /hunter/);
      return `${codeOf(error)}: ${error instanceof Error ? error.message : 'opened'}`;
    };
    const key = 'artifacts.schematic.credentialsPath';
    const denied = `ERR_FACTORY_SETUP: ${key}: ${registry}/${repository}: ERR_OCI_DENIED`;
    t.is(await refusalOf({}), denied);
    await writeFile(credentialsPath, 'factory:hunter3\n');
    t.is(await refusalOf({ credentialsPath }), denied);
    await writeFile(credentialsPath, 'hunter2');
    t.is(
      await refusalOf({ credentialsPath }),
      `ERR_FACTORY_SETUP: ${key}: ${credentialsPath}: must be one line, name:password`,
    );
    t.is(await refusalOf({ credentialsPath: '/nowhere' }), `ERR_FACTORY_SETUP: ${key}: /nowhere: ENOENT`);
    t.is(
      await refusalOf({ registry: '127.0.0.1:1' }),
      `ERR_FACTORY_SETUP: artifacts.schematic.registry: 127.0.0.1:1/${repository}: ERR_OCI_UNAVAILABLE`,
    );
    await writeFile(credentialsPath, 'factory:hunter2\n');
    await using store = await RegistrySchematics.open({ registry, repository, credentialsPath });
    const text = textOf('guarded');
    t.true(await store.put(idOf(text), text));
  },
);

withRegistry('a registry is proven by its authority, where nobody else knows that', async (t) => {
  const directory = await temporaryDirectory(t);
  const [certificate, key, caPath, otherPath] = ['crt', 'key', 'ca', 'other'].map((each) =>
    join(directory, each),
  ) as [string, string, string, string];
  const [authority, other] = [await createCA('kvstore'), await createCA('kvstore')];
  const issued = await issueServer(authority, { names: ['127.0.0.1'] });
  await writeFile(certificate, issued.crt);
  await writeFile(key, issued.key.bytes, { mode: 0o600 });
  await writeFile(caPath, authority.crt);
  await writeFile(otherPath, other.crt);
  for (const secret of [issued.key, authority.key, other.key]) secret[Symbol.dispose]();
  const registry = await dockerRegistry(t, { tls: { certificate, key } });
  await using store = await RegistrySchematics.open({ registry, repository, caPath });
  const text = textOf('by HTTPS');
  t.is(await store.get(idOf(text)), undefined);
  t.true(await store.put(idOf(text), text));
  await using next = await RegistrySchematics.open({ registry, repository, caPath });
  t.is(await next.get(idOf(text)), text);
  const at = `artifacts.schematic.caPath: ${registry}/${repository}`;
  await t.throwsAsync(RegistrySchematics.open({ registry, repository, caPath: otherPath }), {
    code: 'ERR_FACTORY_SETUP',
    message: `${at}: UNABLE_TO_VERIFY_LEAF_SIGNATURE`,
  });
  await t.throwsAsync(RegistrySchematics.open({ registry, repository, caPath: key }), {
    code: 'ERR_FACTORY_SETUP',
    message: `artifacts.schematic.caPath: ${key}: no certificate in PEM`,
  });
});

test('a factory that ends does not wait for a registry that is silent', async (t) => {
  const asked = Promise.withResolvers<void>();
  let isSilent = false;
  const server = createServer((_incoming, outgoing) => {
    if (isSilent) asked.resolve();
    else outgoing.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const registry = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = await RegistrySchematics.open({ registry, repository });
  isSilent = true;
  const answer = t.throwsAsync(store.get(idOf('late')), { message: /: the factory ends$/ });
  await asked.promise;
  await store[Symbol.asyncDispose]();
  await answer;
});

test('a registry that fails is said to, and is asked again', async (t) => {
  let status = 404;
  const server = createServer((_incoming, outgoing) => {
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end('{"errors":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => void server.close());
  const registry = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using store = await RegistrySchematics.open({ registry, repository });
  const text = textOf('late');
  t.is(await store.get(idOf(text)), undefined);
  for (status of [500, 503]) {
    t.false(await store.isAnswering());
    await t.throwsAsync(store.get(idOf(text)), { code: 'ERR_FACTORY_STORE', message: /ERR_OCI_/ });
    await t.throwsAsync(store.put(idOf(text), text), { code: 'ERR_FACTORY_STORE' });
  }
  status = 404;
  t.true(await store.isAnswering());
  t.is(await store.get(idOf(text)), undefined);
});
