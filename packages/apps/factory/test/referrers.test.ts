import { execFile } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { digestOf } from '@nodecore/oci';
import { findProgram } from '@nodecore/testkit';
import test from 'ava';

import { startFactory } from '../src/index.ts';
import { dockerRegistry } from './docker-registry.ts';
import { opensslVerifies } from './openssl-verifies.ts';
import { bearer, guardedFactory, submitBy, tokenOf } from './known-callers.ts';
import { reportingOptions } from './reports/reported-releases.ts';
import { ask, type Running, runningFactory, submit } from './running-factory.ts';

const run = promisify(execFile);
const bundle = 'application/vnd.dev.sigstore.bundle.v0.3+json';
const index = 'application/vnd.oci.image.index.v1+json';

type Referrer = {
  readonly digest: string;
  readonly size: number;
  readonly artifactType: string;
  readonly annotations?: Readonly<Record<string, string>>;
};

async function json(running: Running, path: string): Promise<any> {
  const { status, body } = await ask(running, path);
  return status === 200 ? JSON.parse(body.toString()) : undefined;
}

/** What refers to the index, and to the manifest of an installer. */
async function referrersOf(running: Running, repository: string, version: string) {
  const found = await ask(running, `/v2/${repository}/manifests/${version}`);
  const digests = [
    digestOf(found.body),
    JSON.parse(found.body.toString()).manifests[0].digest as string,
  ] as const;
  const list = async (digest: string): Promise<readonly Referrer[]> =>
    (await json(running, `/v2/${repository}/referrers/${digest}`)).manifests;
  return { digests, ofIndex: await list(digests[0]), ofManifest: await list(digests[1]) };
}

/** The content of an artifact, when it is what its manifest says and refers to this digest. */
async function contentOf(
  running: Running,
  repository: string,
  { digest, artifactType }: Referrer,
  subject: string,
) {
  const manifest = await ask(running, `/v2/${repository}/manifests/${digest}`);
  const { subject: referred, layers, config, ...fields } = JSON.parse(manifest.body.toString());
  const blob = await ask(running, `/v2/${repository}/blobs/${layers[0].digest}`);
  const empty = await ask(running, `/v2/${repository}/blobs/${config.digest}`);
  const isWhole =
    digestOf(manifest.body) === digest &&
    digestOf(blob.body) === layers[0].digest &&
    empty.body.toString() === '{}' &&
    fields.artifactType === artifactType &&
    referred.digest === subject;
  return isWhole ? blob.body : undefined;
}

/** What each one is, of bundles what they say. */
const kinds = (list: readonly Referrer[]): readonly string[] =>
  list.map(
    ({ artifactType, annotations = {} }) => annotations['dev.sigstore.bundle.predicateType'] ?? artifactType,
  );

test('an installer has its signature, what it is made of and from what it came, signed by the key that nodes have', async (t) => {
  const running = await runningFactory(t, await reportingOptions(t));
  const id = await submit(
    running,
    '{"customization":{"systemExtensions":{"officialExtensions":["os/tools"]}}}',
  );
  const repository = `metal-installer/${id}`;
  const { digests, ofIndex, ofManifest } = await referrersOf(running, repository, 'v1.14.1');
  t.deepEqual(kinds(ofIndex), ['https://sigstore.dev/cosign/sign/v1', 'https://slsa.dev/provenance/v1']);
  t.deepEqual(kinds(ofManifest), [
    'https://sigstore.dev/cosign/sign/v1',
    'application/spdx+json',
    'https://spdx.dev/Document/v2.3',
  ]);
  const key = createPublicKey(await readFile(join(running.options.storage, 'installer.key')));
  const statements = new Map<string, any>();
  for (const [subject, list] of [
    [digests[0], ofIndex],
    [digests[1], ofManifest],
  ] as const)
    for (const referrer of list.filter(({ artifactType }) => artifactType === bundle)) {
      const { dsseEnvelope, mediaType } = JSON.parse(
        String(await contentOf(running, repository, referrer, subject)),
      );
      t.is(mediaType, bundle);
      const { payload, payloadType, signatures } = dsseEnvelope;
      const bytes = Buffer.from(payload, 'base64');
      const signed = Buffer.concat([
        Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} `),
        bytes,
      ]);
      t.true(verify(null, signed, key, Buffer.from(signatures[0].sig, 'base64')));
      const statement = JSON.parse(bytes.toString());
      t.deepEqual(statement.subject, [{ name: repository, digest: { sha256: subject.slice(7) } }]);
      statements.set(statement.predicateType, statement.predicate);
    }
  const plain = await contentOf(running, repository, ofManifest[1]!, digests[1]);
  const { body: bill } = await ask(running, `/spdx/${id}/v1.14.1/amd64`);
  t.deepEqual(plain, bill);
  t.deepEqual(statements.get('https://spdx.dev/Document/v2.3'), JSON.parse(bill.toString()));
  const { buildDefinition, runDetails } = statements.get('https://slsa.dev/provenance/v1');
  t.like(buildDefinition.externalParameters, {
    schematic: id,
    version: 'v1.14.1',
    platform: 'metal',
    secureBoot: false,
  });
  t.is(buildDefinition.resolvedDependencies[1].digest.sha256, id);
  t.is(runDetails.builder.id, 'http://factory.example.com');
});

test('a release that does not say what it is made of has signed installers all the same', async (t) => {
  const running = await runningFactory(t);
  const repository = `metal-installer/${await submit(running, '{}')}`;
  const { ofIndex, ofManifest } = await referrersOf(running, repository, 'v1.14.0');
  t.is(ofIndex.length, 2);
  t.deepEqual(
    ofManifest.map(({ artifactType }) => artifactType),
    [bundle],
  );
});

test('referrers are asked for by type, by a tag, and of what is not there', async (t) => {
  const running = await runningFactory(t, await reportingOptions(t));
  const repository = `metal-installer/${await submit(running, '{}')}`;
  const { digests, ofManifest } = await referrersOf(running, repository, 'v1.14.1');
  const path = `/v2/${repository}/referrers/${digests[1]}`;
  const filtered = await ask(running, `${path}?artifactType=application/spdx%2Bjson`);
  t.is(filtered.headers['oci-filters-applied'], 'artifactType');
  t.is(filtered.headers['content-type'], index);
  t.deepEqual(JSON.parse(filtered.body.toString()).manifests, ofManifest.slice(1, 2));
  const none = await json(running, `${path}?artifactType=x`);
  t.deepEqual(none, { schemaVersion: 2, mediaType: index, manifests: [] });
  t.is((await ask(running, path)).headers['oci-filters-applied'], undefined);
  t.is((await ask(running, path, { method: 'HEAD' })).status, 200);
  const tag = await ask(running, `/v2/${repository}/manifests/${digests[1].replace(':', '-')}`);
  t.deepEqual(JSON.parse(tag.body.toString()).manifests, ofManifest);
  const byDigest = await ask(
    running,
    `/v2/${repository}/manifests/${String(tag.headers['docker-content-digest'])}`,
  );
  t.deepEqual(byDigest.body, tag.body);
  t.deepEqual((await json(running, `/v2/${repository}/tags/list`)).tags.includes('sha256-'), false);
  const zeros = '0'.repeat(64);
  t.deepEqual((await json(running, `/v2/${repository}/referrers/sha256:${zeros}`)).manifests, []);
  t.is((await ask(running, `/v2/${repository}/manifests/sha256-${zeros}`)).status, 404);
  t.is((await ask(running, `/v2/${repository}/referrers/latest`)).status, 400);
  t.is((await ask(running, `/v2/${repository}/referrers/sha256:..%2f`)).status, 400);
});

test('what was found by one factory is there by its digest in another one, byte for byte', async (t) => {
  const first = await runningFactory(t, await reportingOptions(t));
  const repository = `metal-installer/${await submit(first, '{}')}`;
  const { ofManifest } = await referrersOf(first, repository, 'v1.14.1');
  const paths = ofManifest.map(({ digest }) => `/v2/${repository}/manifests/${digest}`);
  const before = await Promise.all(paths.map(async (path) => (await ask(first, path)).body));
  await first.factory.close();
  const factory = await startFactory(first.options);
  t.teardown(() => factory.close());
  for (const [at, path] of paths.entries()) t.deepEqual((await ask({ factory }, path)).body, before[at]);
});

test("what is said of somebody's installer is theirs", async (t) => {
  const running = await guardedFactory(t, await reportingOptions(t));
  const ann = await tokenOf(running, 'ann', ['schematic:create', 'image:read']);
  const repository = `metal-installer/${await submitBy(running, ann)}`;
  const { body } = await ask(running, `/v2/${repository}/manifests/v1.14.1`, { headers: bearer(ann) });
  const path = `/v2/${repository}/referrers/${digestOf(body)}`;
  const status = async (headers: Record<string, string>): Promise<number> =>
    (await ask(running, path, { headers })).status;
  t.is(await status(bearer(ann)), 200);
  t.is(await status(bearer(await tokenOf(running, 'bob', ['image:read']))), 403);
  t.is(await status(bearer(await tokenOf(running, 'ann', ['report:read']))), 403);
  t.is(await status({}), 401);
});

test('openssl verifies the signature of an installer by the public key', async (t) => {
  const running = await runningFactory(t);
  const repository = `metal-installer/${await submit(running, '{}')}`;
  const { digests, ofIndex } = await referrersOf(running, repository, 'v1.14.0');
  const { dsseEnvelope: envelope } = JSON.parse(
    String(await contentOf(running, repository, ofIndex[0]!, digests[0])),
  );
  const key = join(running.options.storage, 'installer.key');
  const { stdout: pem } = await run('openssl', ['pkey', '-in', key, '-pubout']);
  await opensslVerifies(t, envelope, pem);
});

test('skopeo copies an installer with what is said of it into a registry of Debian', async (t) => {
  t.truthy(findProgram('skopeo'));
  const running = await runningFactory(t, await reportingOptions(t));
  const repository = `metal-installer/${await submit(running, '{}')}`;
  const { digests, ofManifest } = await referrersOf(running, repository, 'v1.14.1');
  const host = await dockerRegistry(t);
  const from = `docker://127.0.0.1:${running.factory.address.port}/${repository}`;
  const copy = ['copy', '--all', '--preserve-digests', '--src-tls-verify=false', '--dest-tls-verify=false'];
  await run('skopeo', [...copy, `${from}:v1.14.1`, `docker://${host}/installer:v1.14.1`]);
  for (const [at, { digest }] of ofManifest.entries())
    await run('skopeo', [...copy, `${from}@${digest}`, `docker://${host}/installer:said-${at}`]);
  for (const [at, { digest }] of ofManifest.entries()) {
    const answered = await fetch(`http://${host}/v2/installer/manifests/said-${at}`, {
      headers: { accept: 'application/vnd.oci.image.manifest.v1+json' },
    });
    t.is(answered.headers.get('docker-content-digest'), digest);
    t.is(((await answered.json()) as any).subject.digest, digests[1]);
  }
});
