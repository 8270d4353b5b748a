import { createHash } from 'node:crypto';

import test from 'ava';

import { bearer, guardedFactory, submitBy, tokenOf } from './known-callers.ts';
import { opensslVerifies } from './openssl-verifies.ts';
import { ask, runningFactory, submit } from './running-factory.ts';

const v = 'v1.14.0';

test('openssl verifies the signature of every sort of image by the key that the factory tells, and it is of these bytes', async (t) => {
  const running = await runningFactory(t);
  const key = await ask(running, '/oci/cosign/signing-key.pub');
  t.is(key.headers['content-type'], 'application/x-pem-file');
  t.regex(key.body.toString(), /^-----BEGIN PUBLIC KEY-----\n/);
  const id = await submit(running, '{}');
  for (const name of [
    'metal-amd64.iso',
    'metal-amd64.raw.zst',
    'metal-amd64-uki.efi',
    'kernel-amd64',
    'installer-amd64.tar',
  ]) {
    const path = `/image/${id}/${v}/${name}`;
    const image = await ask(running, path);
    const { status, headers, body } = await ask(running, `${path}.sigstore.json`);
    t.is(status, 200);
    t.is(headers['content-type'], 'application/vnd.dev.sigstore.bundle.v0.3+json');
    const bundle = JSON.parse(body.toString());
    t.is(bundle.mediaType, headers['content-type']);
    t.like(await opensslVerifies(t, bundle.dsseEnvelope, key.body.toString()), {
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name, digest: { sha256: createHash('sha256').update(image.body).digest('hex') } }],
      predicateType: 'https://sigstore.dev/cosign/sign/v1',
    });
    t.deepEqual((await ask(running, `${path}.sigstore.json`)).body, body, 'the same each time');
  }
  for (const name of [
    'metal-amd64.iso.sigstore.json.sigstore.json',
    'metal-amd64.iso.sigstore',
    '.sigstore.json',
  ])
    t.is((await ask(running, `/image/${id}/${v}/${name}`)).status, 400, name);
});

test('what proves an image is not sent again to who has it, and may be kept for ever', async (t) => {
  const running = await runningFactory(t);
  for (const end of ['sha256', 'sha512', 'sigstore.json']) {
    const path = `/image/${await submit(running, '{}')}/${v}/kernel-amd64.${end}`;
    const { headers } = await ask(running, path);
    t.is(headers['cache-control'], 'public, max-age=31536000, immutable');
    const again = await ask(running, path, { headers: { 'if-none-match': String(headers['etag']) } });
    t.is(again.status, 304);
    t.is(again.headers['etag'], headers['etag']);
  }
});

test("the signature of somebody's image is theirs, and the key is everybody's", async (t) => {
  const running = await guardedFactory(t);
  const ann = await tokenOf(running, 'ann', ['schematic:create', 'image:read']);
  const path = `/image/${await submitBy(running, ann)}/${v}/kernel-amd64.sigstore.json`;
  const status = async (headers: Record<string, string>): Promise<number> =>
    (await ask(running, path, { headers })).status;
  t.is(await status(bearer(ann)), 200);
  t.is(await status(bearer(await tokenOf(running, 'bob', ['image:read']))), 403);
  t.is(await status({}), 401);
  t.is((await ask(running, '/oci/cosign/signing-key.pub')).status, 200);
});
