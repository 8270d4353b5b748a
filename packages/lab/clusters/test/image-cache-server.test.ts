import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';

import { createWebAuthority, issueWebServer } from '@nodecore/pki';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { serveImageCache } from '../src/keeper/image-cache-server.ts';

test('a cache is a registry behind the socket of a network, known by its certificate', async (t) => {
  const directory = await temporaryDirectory(t);
  await mkdir(join(directory, 'manifests'));
  const authority = await createWebAuthority('cache');
  using _authorityKey = authority.key;
  const server = await issueWebServer(authority, { names: ['127.0.0.1'] });
  using key = server.key;
  const tls = { certFile: join(directory, 'crt.pem'), keyFile: join(directory, 'key.pem') };
  await writeFile(tls.certFile, server.crt);
  await writeFile(tls.keyFile, key.bytes);
  const listening = createServer();
  listening.listen({ host: '127.0.0.1', port: 0 });
  await once(listening, 'listening');
  t.teardown(() => listening.close());
  await serveImageCache(listening, { path: directory, port: 5000, tls });
  const { port } = listening.address() as AddressInfo;
  const statusOf = async (path: string): Promise<number | undefined> => {
    const options = { host: '127.0.0.1', port, path, ca: authority.crt, agent: false };
    const [response] = (await once(request(options).end(), 'response')) as [
      { readonly statusCode?: number; readonly resume: () => void },
    ];
    response.resume();
    return response.statusCode;
  };
  t.is(await statusOf('/v2/'), 200);
  t.is(await statusOf('/v2/library/none/manifests/latest?ns=docker.io'), 404);
});
