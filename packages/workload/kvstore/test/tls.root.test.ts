import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import * as pki from '@nodecore/pki';
import { Secret } from '@nodecore/sys';
import { etcd, program, temporaryDirectory, testWith } from '@nodecore/testkit';

import { connect, Kvstore, KvstoreError, put, saveSnapshot } from '../src/index.ts';
import { must } from './must.ts';

const real = testWith(program('etcd'));

real('who has no certificate, an expired one, or one of another authority is told so', async (t) => {
  const cluster = await etcd(t, { tls: true });
  const { endpoints } = cluster;
  const tls = must(cluster.tls);
  const refused = { instanceOf: KvstoreError, code: 'ERR_KVSTORE_CERTIFICATE' };

  const stranger = await pki.createCA('somebody else');
  await t.throwsAsync(connect({ endpoints, tls: { ...tls, ca: stranger.crt } }), {
    ...refused,
    message: /not signed by the authority we trust/,
  });
  const foreign = await pki.issueClient(stranger, { roles: [] });
  await t.throwsAsync(
    connect({ endpoints, tls: { ca: tls.ca, certificate: foreign.crt, key: foreign.key } }),
    {
      ...refused,
      message: /does not accept our certificate/,
    },
  );
  const nowMs = Date.now() - 86_400_000;
  const expired = await pki.issueClient(tls.authority, { roles: [], nowMs, lifetimeMs: 3_600_000 });
  await t.throwsAsync(
    connect({ endpoints, tls: { ca: tls.ca, certificate: expired.crt, key: expired.key } }),
    {
      ...refused,
      message: /does not accept our certificate/,
    },
  );
  const mixed = { ca: tls.ca, certificate: tls.certificate, key: foreign.key };
  await t.throwsAsync(connect({ endpoints, tls: mixed }), refused);
  await t.throwsAsync(connect({ endpoints }), { instanceOf: KvstoreError, code: 'ERR_KVSTORE_ENDPOINT' });
  const plain = endpoints.map((endpoint) => endpoint.replace('https', 'http'));
  const tlsThere = { code: 'ERR_KVSTORE_PROTOCOL', message: /it speaks TLS; write https:/ };
  await t.throwsAsync(connect({ endpoints: plain }), tlsThere);

  // A program that runs for longer than its certificate is good.
  const directory = await temporaryDirectory(t);
  const save = (kvstore: Kvstore, file: string) => saveSnapshot(kvstore, { file: join(directory, file) });
  for (const [name, crt, key] of [
    ['expired', expired.crt, expired.key],
    ['foreign', foreign.crt, foreign.key],
  ] as const) {
    await using kvstore = new Kvstore({ endpoints, tls: { ca: tls.ca, certificate: crt, key } });
    for (let round = 0; round < 6; round += 1)
      await t.throwsAsync(save(kvstore, `${name}-${round}.db`), {
        ...refused,
        message: /does not accept our certificate/,
      });
  }
  await using other = new Kvstore({ endpoints, tls: { ...tls, ca: stranger.crt } });
  await t.throwsAsync(save(other, 'other.db'), {
    ...refused,
    message: /not signed by the authority we trust/,
  });
  await using bare = new Kvstore({ endpoints, tls: { ca: tls.ca } });
  await t.throwsAsync(save(bare, 'bare.db'), { ...refused, message: /asks for a client certificate/ });
  await t.throwsAsync(put(bare, 'a', '1'), { ...refused, message: /asks for a client certificate/ });
  await using wrong = new Kvstore({ endpoints: plain });
  await t.throwsAsync(save(wrong, 'wrong.db'), tlsThere);
  await t.throwsAsync(connect({ endpoints, tls: { ca: tls.ca, certificate: tls.certificate } }), {
    ...refused,
    message: /goes with its key/,
  });

  await cluster.etcdctl('user', 'add', 'root', '--no-password');
  await cluster.etcdctl('user', 'grant-role', 'root', 'root');
  await cluster.etcdctl('auth', 'enable');
  const nobody = await pki.issueNamedClient(tls.authority, { commonName: 'nobody' });
  await using unknown = await connect({
    endpoints,
    tls: { ca: tls.ca, certificate: nobody.crt, key: nobody.key },
  });
  const denied = { instanceOf: KvstoreError, code: 'ERR_KVSTORE_DENIED' };
  await t.throwsAsync(put(unknown, 'a', '1'), denied);
  await t.throwsAsync(save(unknown, 'unknown.db'), { ...denied, message: /no user of the name/ });
  t.deepEqual(await readdir(directory), []);
});

real('plain text where TLS is meant is named', async (t) => {
  const { endpoints } = await etcd(t);
  const { crt } = await pki.createCA('anybody');
  const secured = endpoints.map((endpoint) => endpoint.replace('http:', 'https:'));
  await using kvstore = new Kvstore({ endpoints: secured, tls: { ca: crt } });
  const plainThere = { code: 'ERR_KVSTORE_PROTOCOL', message: /it speaks plain text; write http:/ };
  await t.throwsAsync(connect({ endpoints: secured, tls: { ca: crt } }), plainThere);
  const file = join(await temporaryDirectory(t), 'none.db');
  await t.throwsAsync(saveSnapshot(kvstore, { file }), plainThere);
});

real('a user is one by a password alone, and tokens that members forget are renewed', async (t) => {
  const cluster = await etcd(t, { tls: true, arguments: ['--client-cert-auth=false', '--trusted-ca-file='] });
  const { endpoints } = cluster;
  const tls = { ca: must(cluster.tls).ca };
  const password = Secret.take(Buffer.from('correct horse'));
  const denied = { instanceOf: KvstoreError, code: 'ERR_KVSTORE_DENIED' };
  const directory = await temporaryDirectory(t);
  const save = (kvstore: Kvstore, file: string) => saveSnapshot(kvstore, { file: join(directory, file) });

  await using early = await connect({ endpoints, tls, user: { name: 'root', password } });
  t.true((await put(early, 'before', 'authentication')) > 0n);
  await cluster.etcdctl('user', 'add', 'root:correct horse');
  await cluster.etcdctl('user', 'grant-role', 'root', 'root');
  await cluster.etcdctl('auth', 'enable');
  t.true((await put(early, 'since', 'authentication')) > 0n);
  t.true((await save(early, 'early.db')).revision > 0n);

  const wrong = Secret.take(Buffer.from('wrong horse'));
  await t.throwsAsync(connect({ endpoints, tls, user: { name: 'root', password: wrong } }), denied);
  await t.throwsAsync(connect({ endpoints, tls, user: { name: 'nobody', password } }), denied);
  await using anonymous = await connect({ endpoints, tls });
  await t.throwsAsync(put(anonymous, 'a', '1'), {
    ...denied,
    message: /give a certificate of one, or a name/,
  });
  await t.throwsAsync(save(anonymous, 'none.db'), {
    ...denied,
    message: /give a certificate of one, or a name/,
  });
  await using kvstore = await connect({ endpoints, tls, user: { name: 'root', password } });
  t.true((await put(kvstore, 'a', '1')) > 0n);
  // Tokens are in the members' memory.
  await must(cluster.members[0]).stop();
  await cluster.start();
  t.true((await put(kvstore, 'a', '2')) > 0n);
  await must(cluster.members[0]).stop();
  await cluster.start();
  t.true((await save(kvstore, 'late.db')).revision > 0n);
  t.deepEqual(await readdir(directory), ['early.db', 'late.db']);
});

real('an endpoint that is down is passed over, and all of them down is an error at once', async (t) => {
  const cluster = await etcd(t, { tls: true });
  const { endpoints, tls } = cluster;
  const nobody = 'https://127.0.0.1:1';
  await using kvstore = await connect({ endpoints: [nobody, ...endpoints], tls });
  t.true((await put(kvstore, 'a', '1')) > 0n);
  await t.throwsAsync(connect({ endpoints: [nobody], tls }), { code: 'ERR_KVSTORE_UNREACHABLE' });
  await t.throwsAsync(connect({ endpoints: ['ftp://127.0.0.1'], tls }), { code: 'ERR_KVSTORE_ENDPOINT' });

  await must(cluster.members[0]).kill();
  await t.throwsAsync(put(kvstore, 'a', '2'), { code: 'ERR_KVSTORE_UNREACHABLE' });
  await cluster.start();
  t.true((await put(kvstore, 'a', '3')) > 0n);
  kvstore.close();
  await t.throwsAsync(put(kvstore, 'a', '4'), { instanceOf: TypeError });
});
