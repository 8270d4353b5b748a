import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { output, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { readCall, verifyCall } from '../src/call.ts';
import { payloadHeader, signatureHeader } from '../src/headers.ts';
import { generateSigningKey, readSigningKey, readVerifyingKey } from '../src/keys.ts';
import { payloadOf } from '../src/payload.ts';
import { signCall } from '../src/sign.ts';

const path = '/nodecore.fleet.v1.StateService/List';
const identity = 'me@example.org';
const withGpg = testWith(program('gpg'), program('gpgconf'));

/** A home of its own for GnuPG, whose agent ends with the test. */
async function gpgOf(
  t: ExecutionContext,
): Promise<{ home: string; gpg: (...args: string[]) => Promise<string> }> {
  const home = await temporaryDirectory(t);
  t.teardown(async () => void (await output(['gpgconf', '--homedir', home, '--kill', 'all'])));
  const common = [
    '--homedir',
    home,
    '--batch',
    '--no-tty',
    '--quiet',
    '--pinentry-mode',
    'loopback',
    '--passphrase',
    '',
  ];
  return { home, gpg: async (...args) => await output(['gpg', ...common, ...args]) };
}

withGpg('GnuPG verifies what we sign', async (t) => {
  const { home, gpg } = await gpgOf(t);
  const made = await generateSigningKey({ name: 'test', email: identity, lifetimeMs: 3_600_000 });
  const key = await readSigningKey(made.secret);
  made.secret[Symbol.dispose]();
  const headers = await signCall(key, { path, identity });
  await writeFile(join(home, 'key.asc'), made.publicKey);
  await writeFile(join(home, 'payload'), headers[payloadHeader]!);
  await writeFile(join(home, 'payload.sig'), Buffer.from(headers[signatureHeader]!.split(' ')[3]!, 'base64'));
  await gpg('--import', join(home, 'key.asc'));
  const told = await gpg('--status-fd', '1', '--verify', join(home, 'payload.sig'), join(home, 'payload'));
  t.true(told.includes(`VALIDSIG ${key.keyId.toUpperCase()}`), told);
});

withGpg('what GnuPG signs is verified here', async (t) => {
  const { home, gpg } = await gpgOf(t);
  await gpg('--quick-generate-key', `test <${identity}>`, 'ed25519', 'sign', '1d');
  const key = await readVerifyingKey(await gpg('--armor', '--export', identity));
  const timestamp = String(Math.floor(Date.now() / 1000));
  const payload = payloadOf(path, { 'x-authv1-timestamp': timestamp });
  await writeFile(join(home, 'payload'), payload);
  await gpg('--detach-sign', '--output', join(home, 'payload.sig'), join(home, 'payload'));
  const signature = await output(['base64', '--wrap=0', join(home, 'payload.sig')]);
  const headers: Record<string, string> = {
    'x-authv1-timestamp': timestamp,
    [payloadHeader]: payload,
    [signatureHeader]: `authv1 ${identity} ${key.keyId} ${signature.trim()}`,
  };
  const call = readCall(path, (name) => [headers[name] ?? []].flat(), Date.now());
  await t.notThrowsAsync(verifyCall(call, key, Date.now()));
  await t.throwsAsync(verifyCall({ ...call, payload: `${payload} ` }, key, Date.now()));
});
