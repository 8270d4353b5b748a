import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import { stringify } from 'yaml';

import {
  secretInFile,
  secretsInTexts,
  secretsInYaml,
  secretsOfFiles,
  whereSecretsStand,
} from '../src/system/secrets.ts';

const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const token = randomBytes(16).toString('hex');
const configuration = stringify({
  machine: {
    token,
    ca: { crt: 'bm90IGEgc2VjcmV0IGF0IGFsbCwgaXQgaXMgcHVibGlj', key: Buffer.from(pem).toString('base64') },
  },
});

test('secrets of a configuration are its tokens and keys, and certificates are none', (t) => {
  const names = secretsInYaml('config', `${configuration}---\nkind: Other\nsecret: ${token}x\n`).map(
    ({ name }) => name,
  );
  t.deepEqual(names, ['config machine.token', 'config machine.ca.key', 'config secret']);
});

test('a secret is found on a disk with holes, in whatever form it stands there, and is named without itself', async (t) => {
  const directory = await temporaryDirectory(t);
  const body = pem.split('\n')[1] ?? '';
  const forms = {
    'as it is.raw': Buffer.from(pem).toString('base64'),
    'decoded.raw': body,
    'hex.raw': Buffer.from(body, 'base64').toString('hex'),
    'other.raw': randomBytes(24).toString('hex'),
  };
  await mkdir(join(directory, 'disks'));
  for (const [name, text] of Object.entries(forms)) {
    await using file = await open(join(directory, 'disks', name), 'w');
    await file.truncate(2 ** 32);
    await file.write(Buffer.from(`\0${text}\0`), 0, text.length + 2, 3 * 2 ** 30 + 17);
  }
  const secrets = secretsInYaml('config', configuration);
  const found = await whereSecretsStand(secrets, [join(directory, 'disks')]);
  t.deepEqual(
    found.map((line) => line.replace(directory, '')).sort(),
    ['as it is.raw', 'decoded.raw', 'hex.raw'].map((name) => `config machine.ca.key in /disks/${name}`),
  );
  t.deepEqual(await whereSecretsStand(secrets, [join(directory, 'disks', 'other.raw')]), []);
});

test('keys in files of their own, and arguments of processes, are searched too', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(join(directory, 'a.key'), pem);
  await writeFile(join(directory, 'b.key'), `${token}\n`);
  await writeFile(join(directory, 'c.yaml'), configuration);
  const secrets = await secretsOfFiles([join(directory, '*')]);
  t.is(secrets.length, 4);
  const lines = new Map([
    ['process 1', 'program\0--help'],
    ['process 2', `program\0--token\0${token}`],
  ]);
  t.deepEqual(secretsInTexts(secrets, lines), [
    `${join(directory, 'b.key')} in process 2`,
    `${join(directory, 'c.yaml')} machine.token in process 2`,
  ]);
  t.is(secretsInTexts([secretInFile('a', pem)], new Map([['x', '-----BEGIN PRIVATE KEY-----']])).length, 0);
});
