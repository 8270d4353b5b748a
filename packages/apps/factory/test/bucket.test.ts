import { execFile } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';

import { codeOf } from '@nodecore/sys';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test from 'ava';

import type { BucketOptions } from '../src/objects/bucket-options.ts';
import { Bucket } from '../src/objects/bucket.ts';
import type { Environment } from '../src/settings.ts';
import { credentials, optionsOf } from './bucket-of.ts';
import { s3Server } from './s3-server.ts';

const run = promisify(execFile);
const keys = generateKeyPairSync('ed25519');

testWith(program('curl'))('the store of these tests takes and refuses what curl signs', async (t) => {
  const server = await s3Server(t);
  const url = `http://${server.endpoint}/factory/assets/a`;
  const ask = async (secret: string, ...words: readonly string[]): Promise<string> => {
    const signed = ['--aws-sigv4', 'aws:amz:eu-1:s3', '--user', `factory:${secret}`];
    const { stdout } = await run('curl', ['-s', '-w', '%{http_code}', ...signed, ...words, url]);
    return stdout;
  };
  const hash = createHash('sha256').update('hello').digest('hex');
  t.is(await ask('hunter2', '-X', 'PUT', '-d', 'hello', '-H', `x-amz-content-sha256: ${hash}`), '200');
  t.is(await ask('hunter2'), 'hello200');
  t.regex(await ask('other'), /SignatureDoesNotMatch.*403$/);
});

test('what keeps a factory from its bucket is said by the key that is wrong, and what may be better later does not', async (t) => {
  const server = await s3Server(t);
  const options = await optionsOf(t, server);
  const warnings: string[] = [];
  const refusalOf = async (
    changes: Partial<BucketOptions>,
    environment: Environment = {},
    from: BucketOptions = options,
  ): Promise<string> => {
    try {
      await Bucket.open({ ...from, ...changes }, keys, (line) => void warnings.push(line), environment);
      return 'opened';
    } catch (error) {
      t.notRegex(inspect(error, { depth: 9, showHidden: true }), /hunter/);
      return `${codeOf(error)}: ${error instanceof Error ? error.message : ''}`;
    }
  };
  const empty = join(await temporaryDirectory(t), 'empty');
  await writeFile(empty, '[other]\naws_access_key_id=hunter\n');
  const at = server.endpoint;
  const cases: readonly (readonly [Partial<BucketOptions>, string])[] = [
    [
      { credentialsPath: await credentials(t, 'hunter3') },
      `credentialsPath: ${at}/factory: SignatureDoesNotMatch`,
    ],
    [
      { credentialsPath: await credentials(t, 'hunter2', 'eve') },
      `credentialsPath: ${at}/factory: InvalidAccessKeyId`,
    ],
    [{ bucket: 'other' }, `bucket: ${at}/other: NoSuchBucket`],
    [{ credentialsPath: '/nowhere' }, 'credentialsPath: /nowhere: ENOENT'],
    [
      { credentialsPath: empty },
      `credentialsPath: ${empty}: must have aws_access_key_id and aws_secret_access_key of default`,
    ],
    [{ caPath: '/nowhere' }, 'caPath: /nowhere: ENOENT'],
  ];
  for (const [changes, message] of cases)
    t.is(await refusalOf(changes), `ERR_FACTORY_SETUP: cache.s3.${message}`);
  const { credentialsPath, ...others } = options;
  const variables = { AWS_ACCESS_KEY_ID: 'factory', AWS_SECRET_ACCESS_KEY: 'hunter2' };
  const file = { AWS_SHARED_CREDENTIALS_FILE: credentialsPath };
  const environments: readonly (readonly [Environment, string])[] = [
    [variables, 'opened'],
    [{ ...variables, AWS_SESSION_TOKEN: 'hunter4' }, 'opened'],
    [file, 'opened'],
    [
      { ...file, AWS_PROFILE: 'other' },
      `AWS_SHARED_CREDENTIALS_FILE: ${credentialsPath}: must have aws_access_key_id and aws_secret_access_key of other`,
    ],
    [
      { ...file, ...variables, AWS_SECRET_ACCESS_KEY: 'hunter3' },
      `AWS_ACCESS_KEY_ID: ${at}/factory: SignatureDoesNotMatch`,
    ],
    [
      { AWS_ACCESS_KEY_ID: 'hunter', AWS_SECRET_ACCESS_KEY: '' },
      'AWS_SECRET_ACCESS_KEY: AWS_ACCESS_KEY_ID is set, and needs it',
    ],
    [{ AWS_SECRET_ACCESS_KEY: 'hunter2' }, 'AWS_ACCESS_KEY_ID: AWS_SECRET_ACCESS_KEY is set, and needs it'],
    [
      {},
      'cache.s3.credentialsPath: cache.s3.enabled needs it, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SHARED_CREDENTIALS_FILE',
    ],
  ];
  for (const [environment, message] of environments)
    t.is((await refusalOf({}, environment, others)).replace('ERR_FACTORY_SETUP: ', ''), message);
  t.is(await refusalOf({}, { AWS_ACCESS_KEY_ID: 'eve', AWS_SECRET_ACCESS_KEY: 'hunter' }), 'opened');
  t.is(await refusalOf({ endpoint: '127.0.0.1:1' }), 'opened');
  t.deepEqual(warnings, ['cache.s3: 127.0.0.1:1/factory: ECONNREFUSED: asked again when it is needed']);
});
