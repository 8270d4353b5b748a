import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { defaultAuthentication, type FactoryOptions, startFactory } from '../src/index.ts';
import { bearer, guardedFactory, request, submitBy } from './known-callers.ts';
import { postgresServer } from './postgres-server.ts';
import { ask, factoryOptions } from './running-factory.ts';
import { s3Server } from './s3-server.ts';

async function keyFile(t: ExecutionContext): Promise<string> {
  const path = join(await temporaryDirectory(t), 'key.pem');
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', path], { stdio: 'ignore' });
  return path;
}

testWith(program('postgres'), program('initdb'))(
  'two factories of one database answer for each other, and say so when it does not answer',
  async (t) => {
    const server = await postgresServer(t);
    const store = await s3Server(t);
    const credentialsPath = join(await temporaryDirectory(t), 'credentials');
    await writeFile(credentialsPath, 'aws_access_key_id=factory\naws_secret_access_key=hunter2\n');
    const { directory: _, ...options } = await factoryOptions(t);
    const shared: Partial<FactoryOptions> = {
      ...options,
      postgres: { url: server.url() },
      bucket: {
        bucket: 'factory',
        region: 'us-east-1',
        endpoint: store.endpoint,
        credentialsPath,
        isInsecure: true,
      },
      installerSigningKey: await keyFile(t),
      authentication: { ...defaultAuthentication, keyPaths: [await keyFile(t)] },
      metrics: { host: '127.0.0.1', port: 0 },
    };
    const [a, b] = await Promise.all(
      ['a', 'b'].map((name) => guardedFactory(t, { ...shared, storage: join(options.storage, name) })),
    );
    if (a === undefined || b === undefined) throw new Error('two were started');
    const asked = { subject: 'ann', name: 'ci', scopes: ['image:read', 'schematic:create', 'token:revoke'] };
    const { token, id: tokenId } = (await request(a, a.bootstrap, asked)).json;
    const id = await submitBy(a, token, 'customization: {extraKernelArgs: [quiet]}');
    const image = `/image/${id}/v1.14.0/metal-amd64.raw`;
    const heads = await Promise.all(
      [a, b].map((one) => ask(one, image, { method: 'HEAD', headers: bearer(token) })),
    );
    t.deepEqual(
      heads.map(({ status }) => status),
      [200, 200],
    );
    t.is(heads[0]!.headers['etag'], heads[1]!.headers['etag']);

    const compressed = await Promise.all(
      [a, b].map((one) => ask(one, `${image}.zst`, { headers: bearer(token) })),
    );
    t.true(compressed[0]!.body.length > 0 && compressed[0]!.body.equals(compressed[1]!.body));
    const puts = store.requests.filter((request) => request.startsWith('PUT'));
    t.true(puts.length > 0);
    t.is(new Set(puts).size, puts.length);

    const revoked = await ask(b, `/tokens/${tokenId}/revoke`, { method: 'POST', headers: bearer(token) });
    t.is(revoked.status, 204);
    for (const one of [a, b])
      t.is((await ask(one, image, { method: 'HEAD', headers: bearer(token) })).status, 401);

    const { token: next } = (await request(a, a.bootstrap, asked)).json;
    t.is((await ask(a, '/readyz')).status, 200);
    await server.stop();
    const unready = await ask(a, '/readyz');
    t.is(unready.status, 503);
    t.is(String(unready.body), 'not ready: the store of schematics does not answer\n');
    t.is((await ask(a, '/healthz')).status, 200);
    // Nobody is let in on a guess, and nobody is told that a token is wrong.
    const refused = await ask(a, image, { headers: bearer(next) });
    t.is(refused.status, 503);
    t.regex(String(refused.body), /^ERR_FACTORY_STORE: /);
    const { host, port } = a.factory.metricsAddress!;
    const metrics = await (await fetch(`http://${host}:${port}/metrics`)).text();
    t.regex(metrics, /^image_factory_objects_(?:put|fetched)_total [1-9]/m);
    t.regex(metrics, /^image_factory_assets_cached_errors_total 0$/m);
    t.regex(metrics, /^image_factory_store_errors_total\{code="ERR_FACTORY_STORE"\} 1$/m);
    await server.start();
    t.is((await ask(a, '/readyz')).status, 200);
    t.is((await ask(b, image, { method: 'HEAD', headers: bearer(next) })).status, 200);
  },
);

test('factories that would share a database sign by a key that is given', async (t) => {
  const { directory: _, ...options } = await factoryOptions(t);
  const postgres = { url: 'postgresql://factory@127.0.0.1:1/factory' };
  await t.throwsAsync(startFactory({ ...options, postgres }), {
    code: 'ERR_FACTORY_SETUP',
    message: /: give installer\.signingKeyPath$/,
  });
  const bucket = { bucket: 'b-1', region: 'r', endpoint: 'h', credentialsPath: '/c' };
  await t.throwsAsync(startFactory({ ...options, bucket }), {
    code: 'ERR_FACTORY_SETUP',
    message: /^cache\.s3\.bucket: .*: give installer\.signingKeyPath$/,
  });
  const schematicRegistry = { registry: '127.0.0.1:1', repository: 'schematics' };
  await t.throwsAsync(startFactory({ ...options, schematicRegistry }), {
    code: 'ERR_FACTORY_SETUP',
    message: /^artifacts\.schematic\.registry: .*: give installer\.signingKeyPath$/,
  });
  const signed = { ...options, postgres, installerSigningKey: await keyFile(t) };
  await t.throwsAsync(startFactory({ ...signed, authentication: defaultAuthentication }), {
    code: 'ERR_FACTORY_SETUP',
    message: /: give authentication\.tokens\.keyPaths$/,
  });
});
