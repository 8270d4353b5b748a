import { stat, writeFile } from 'node:fs/promises';

import test from 'ava';

import * as pki from '@nodecore/pki';

import { osctl } from './command-line.ts';
import { mode, text } from './gen-directory.ts';

test('ca, key, csr and crt together make a client certificate with its roles', async (t) => {
  const steps = [
    'gen ca --organization lab',
    'gen key --name alice',
    'gen csr --key alice.key --ip 10.0.0.9 --roles os:reader,os:operator',
    'gen crt --name alice --ca lab --csr alice.csr --hours 48',
  ];
  for (const step of steps) t.is((await osctl(step.split(' '))).code, 0, step);
  const ca = pki.readCertificate(await text('lab.crt'));
  const certificate = pki.readCertificate(await text('alice.crt'));
  t.is(certificate.subject, 'O=os:reader\nO=os:operator');
  t.true(certificate.checkIssued(ca) && certificate.verify(ca.publicKey));
  t.is((await text('lab.sha256')).trim(), pki.fingerprint(ca));
  t.is(await mode('lab.key'), 0o600);
  t.is(await mode('alice.key'), 0o600);
  const hours = (certificate.validToDate.getTime() - Date.now()) / 3_600_000;
  t.true(hours > 47 && hours <= 48, String(hours));
});

const json = async (line: string): Promise<unknown> => JSON.parse((await osctl(line.split(' '))).out);

test('programs get the files that were written, and which of them are secret', async (t) => {
  t.deepEqual(await json('gen ca --organization told -o json'), [
    { file: 'told.crt', secret: false },
    { file: 'told.sha256', secret: false },
    { file: 'told.key', secret: true },
  ]);
  t.deepEqual(await json('gen secrets -o told.yaml --json'), [{ file: 'told.yaml', secret: true }]);
  t.deepEqual(await json('gen secureboot pcr -o told --json'), [
    { file: 'told/pcr-signing-key.pem', secret: true },
  ]);
  t.deepEqual(await json('gen keypair --organization toldpair --ip 10.0.0.9 -o json'), [
    { file: 'toldpair.crt', secret: false },
    { file: 'toldpair.key', secret: true },
  ]);
  await json('gen key --name toldkey -o json');
  t.deepEqual(await json('gen csr --key toldkey.key --ip 10.0.0.9 -o json'), [
    { file: 'toldkey.csr', secret: false },
  ]);
  t.deepEqual(await json('gen crt --name toldkey --ca told --csr toldkey.csr -o json'), [
    { file: 'toldkey.crt', secret: false },
  ]);
  const printed = 'gen config told https://a -t osconfig -o - --json';
  t.is((await osctl(printed.split(' '))).code, 2);
});

test('nothing is replaced without --force, and then none of the files', async (t) => {
  await writeFile('kept.key', 'old');
  const refused = await osctl(['gen', 'ca', '--organization', 'kept']);
  t.is(refused.code, 2);
  t.is(refused.error, 'osctl: kept.key exists; give --force to replace it\n');
  await t.throwsAsync(stat('kept.crt'), { code: 'ENOENT' });
  t.is(await text('kept.key'), 'old');
  t.is((await osctl(['gen', 'ca', '--organization', 'kept', '-f'])).code, 0);
  t.not(await text('kept.key'), 'old');
  t.is((await osctl(['gen', '-f', 'ca', '--organization', 'kept'])).code, 0);
});

test('a keypair names its address', async (t) => {
  t.is((await osctl(['gen', 'keypair', '--organization', 'pair', '--ip', '192.0.2.7'])).code, 0);
  t.is(pki.readCertificate(await text('pair.crt')).checkIP('192.0.2.7'), '192.0.2.7');
  t.is((await osctl(['gen', 'keypair', '--organization', 'pair2', '--ip', 'nowhere'])).code, 2);
});
