import { Secret } from '@nodecore/sys';
import test from 'ava';

import { readCall, verifyCall } from '../src/call.ts';
import { payloadHeader, signatureHeader, timestampHeader } from '../src/headers.ts';
import { generateSigningKey, readSigningKey, readVerifyingKey } from '../src/keys.ts';
import { signCall } from '../src/sign.ts';

const path = '/nodecore.fleet.v1.StateService/List';
const identity = 'me@example.org';
const now = Date.parse('2026-05-01T12:00:00Z');

const made = await generateSigningKey({ name: 'test', email: identity, lifetimeMs: 3_600_000, nowMs: now });
const signing = await readSigningKey(made.secret);
const verifying = await readVerifyingKey(made.publicKey);
made.secret[Symbol.dispose]();

type Headers = Readonly<Record<string, string | readonly string[]>>;
const readerOf =
  (headers: Headers) =>
  (name: string): readonly string[] =>
    Object.entries(headers).flatMap(([each, value]) =>
      each.toLowerCase() === name.toLowerCase() ? [value].flat() : [],
    );

async function signed(headers: Headers = {}): Promise<Headers> {
  return { ...headers, ...(await signCall(signing, { path, headers, identity, nowMs: now })) };
}

async function verdict(headers: Headers, at = now, called = path): Promise<string> {
  try {
    const call = readCall(called, readerOf(headers), at);
    await verifyCall(call, verifying, at);
    return call.identity;
  } catch (error) {
    return (error as Error & { code: string }).code;
  }
}

test('a signed call is verified, with the headers that say where it goes', async (t) => {
  t.is(await verdict(await signed()), identity);
  const routed = { node: '10.0.0.5', context: 'c', nodes: ['a', 'b'], fieldSelectors: 'x=y, z' };
  t.is(await verdict(await signed(routed)), identity);
  // HTTP/2 joins values and writes names in lower case.
  const { nodes: _nodes, fieldSelectors, ...rest } = await signed(routed);
  t.is(await verdict({ ...rest, nodes: 'a, b', fieldselectors: fieldSelectors! }), identity);
});

test('a call is not verified when anything that was signed is another', async (t) => {
  const headers = await signed({ node: '10.0.0.5' });
  const no = 'ERR_AUTHV1_SIGNATURE';
  t.is(await verdict(headers, now, '/nodecore.fleet.v1.StateService/Destroy'), no);
  t.is(await verdict({ ...headers, node: '10.0.0.6' }), no);
  t.is(await verdict({ ...headers, node: [] }), no);
  t.is(await verdict({ ...headers, context: 'added' }), no);
  t.is(await verdict({ ...headers, authorization: 'Bearer x' }), no);
  t.is(await verdict({ ...headers, [timestampHeader]: String(now / 1000 + 1) }), no);
  const payload = String(headers[payloadHeader]).replace('10.0.0.5', '10.0.0.6');
  t.is(await verdict({ ...headers, node: '10.0.0.6', [payloadHeader]: payload }), no);
});

test('a call is good for five minutes, before and after', async (t) => {
  const headers = await signed();
  t.is(await verdict(headers, now + 300_000), identity);
  t.is(await verdict(headers, now - 300_000), identity);
  t.is(await verdict(headers, now + 300_001), 'ERR_AUTHV1_SIGNATURE');
  t.is(await verdict(headers, now - 300_001), 'ERR_AUTHV1_SIGNATURE');
});

test('a key that has expired verifies nothing, and neither does another key', async (t) => {
  const late = now + 3_600_001;
  const headers = await signCall(signing, { path, identity, nowMs: now });
  const call = readCall(path, readerOf(headers), now);
  await t.throwsAsync(verifyCall(call, verifying, late), { code: 'ERR_AUTHV1_SIGNATURE' });
  const other = await generateSigningKey({ name: 'o', email: identity, lifetimeMs: 3_600_000, nowMs: now });
  other.secret[Symbol.dispose]();
  const stranger = await readVerifyingKey(other.publicKey);
  await t.throwsAsync(verifyCall(call, stranger, now), { code: 'ERR_AUTHV1_SIGNATURE' });
  await t.throwsAsync(verifyCall({ ...call, keyId: stranger.keyId }, stranger, now), {
    code: 'ERR_AUTHV1_SIGNATURE',
  });
});

test('hostile headers are refused, all with one message', async (t) => {
  const headers = await signed();
  const [version, who, keyId, bytes] = String(headers[signatureHeader]).split(' ') as [
    string,
    string,
    string,
    string,
  ];
  const large = 'A'.repeat(1 << 20);
  const messages = new Set<string>();
  const hostile: Headers[] = [
    {},
    ...[
      '',
      version,
      `${version} ${who}`,
      `${version} ${who} ${keyId}`,
      `${version} ${who} ${keyId} ${bytes} more`,
    ].map((signature) => ({ ...headers, [signatureHeader]: signature })),
    ...[
      `${version}  ${who} ${keyId} ${bytes}`,
      `authv2 ${who} ${keyId} ${bytes}`,
      `${version} ${who} ${keyId} !!!!`,
      `${version} ${who} ${keyId} ${bytes.slice(1)}`,
      `${version} ${who} ${keyId} ${large}`,
      `${version} ${large} ${keyId} ${bytes}`,
      `${version} ${who} ${large} ${bytes}`,
      `${version} ${who} ${keyId} `,
    ].map((signature) => ({ ...headers, [signatureHeader]: signature })),
    ...[
      large,
      '{',
      '[]',
      'null',
      '{"method":1,"headers":{}}',
      `{"method":"${path}","headers":null}`,
      `{"method":"${path}","headers":{}}`,
      '{"headers":{"__proto__":1},"method":""}',
      `{"headers":{"node":null,"Node":["x"]},"method":"${path}"}`,
    ].map((payload) => ({ ...headers, [payloadHeader]: payload })),
    ...['', '1e9', '-1', '0x10', large, ' 1'].map((timestamp) => ({
      ...headers,
      [timestampHeader]: timestamp,
    })),
    ...[timestampHeader, payloadHeader, signatureHeader].map((name) => ({ ...headers, [name]: [] })),
    ...[timestampHeader, payloadHeader, signatureHeader].map((name) => ({
      ...headers,
      [name]: [String(headers[name]), String(headers[name])],
    })),
  ];
  for (const each of hostile) {
    const error = t.throws(() => readCall(path, readerOf(each), now), { code: 'ERR_AUTHV1_SIGNATURE' });
    messages.add(error?.message ?? '');
  }
  t.is(messages.size, 1);
  const random = `${version} ${who} ${keyId} ${Buffer.alloc(100, 7).toString('base64')}`;
  t.is(await verdict({ ...headers, [signatureHeader]: random }), 'ERR_AUTHV1_SIGNATURE');
});

test('a header that is not ASCII is signed as it is', async (t) => {
  const headers = await signed({ namespace: 'größe 𝄞' });
  t.regex(String(headers[payloadHeader]), /^[\x20-\x7e]+$/u);
  t.is(await verdict(headers), identity);
});

test('keys never show themselves', async (t) => {
  const { secret, publicKey } = await generateSigningKey({ name: 'x', email: identity, lifetimeMs: 1000 });
  t.is(JSON.stringify(secret), '"[secret]"');
  t.true(publicKey.includes('PUBLIC KEY'));
  secret[Symbol.dispose]();
  for (const text of ['no key', publicKey]) {
    using wrong = Secret.copy(Buffer.from(text));
    await t.throwsAsync(readSigningKey(wrong), { code: 'ERR_AUTHV1_KEY' });
  }
});

test('of a client that signs fewer headers, one that it did not sign is not taken', async (t) => {
  const timestamp = String(now / 1000);
  const payload = JSON.stringify({ headers: { [timestampHeader]: [timestamp] }, method: path });
  const signature = Buffer.from(await signing.sign(Buffer.from(payload), now)).toString('base64');
  const headers = {
    [timestampHeader]: timestamp,
    [payloadHeader]: payload,
    [signatureHeader]: `authv1 ${identity} ${signing.keyId} ${signature}`,
  };
  t.is(await verdict(headers), identity);
  t.is(await verdict({ ...headers, node: '10.0.0.6' }), 'ERR_AUTHV1_SIGNATURE');
});
