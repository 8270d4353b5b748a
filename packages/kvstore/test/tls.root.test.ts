import { pki } from '@nodecore/api';
import { etcd, program, testWith } from '@nodecore/testkit';

import { connect, KvstoreError, put } from '../src/index.ts';
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
  await t.throwsAsync(connect({ endpoints: plain }), { code: 'ERR_KVSTORE_UNREACHABLE' });
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
