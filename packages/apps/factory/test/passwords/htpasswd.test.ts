import { execFileSync } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { defaultAuthentication } from '../../src/index.ts';
import { hasBcrypt, isBcrypt } from '../../src/passwords/bcrypt.ts';
import { Htpasswd } from '../../src/passwords/htpasswd.ts';
import { guardedFactory } from '../known-callers.ts';
import { ask } from '../running-factory.ts';

/** A line as another program makes it: perl hashes by the crypt(3) of the machine. */
function lineOf(name: string, password: string, setting = '$2b$04$abcdefghijklmnopqrstuu'): string {
  return `${name}:${execFileSync('perl', ['-e', 'print crypt($ARGV[0], $ARGV[1])', password, setting]).toString()}\n`;
}

const basic = (password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`,
});

async function fileOf(t: ExecutionContext, text: string): Promise<string> {
  const path = join(await temporaryDirectory(t), 'htpasswd');
  await writeFile(path, text);
  return path;
}

test('published hashes have their passwords, and no others', async (t) => {
  // Vectors of crypt_blowfish.
  for (const [password, hash] of [
    ['U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['U*U*', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK'],
    ['', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy'],
  ] as const) {
    t.true(isBcrypt(hash));
    t.true(await hasBcrypt(Buffer.from(password), hash), password);
    t.false(await hasBcrypt(Buffer.from(`${password}x`), hash));
    t.false(await hasBcrypt(Buffer.from(`${password}\0`), hash));
  }
});

test('a name may have several passwords, and each is its own', async (t) => {
  const text = `# people\n\n${lineOf('ann', 'one')}${lineOf('ann', 'two', '$2y$04$bbcdefghijklmnopqrstuu')}${lineOf('bob', 'three')}`;
  using file = await Htpasswd.open(await fileOf(t, text), () => {});
  const isRight = async (name: string, password: string): Promise<boolean> =>
    await file.isRight(name, Buffer.from(password), '::1');
  for (let again = 0; again < 2; again += 1) {
    for (const [name, password] of [
      ['ann', 'one'],
      ['ann', 'two'],
      ['bob', 'three'],
    ] as const)
      t.true(await isRight(name, password));
    t.false(await isRight('bob', 'one'));
    t.false(await isRight('ann', ''));
    t.false(await isRight('eve', 'one'));
  }
});

test('lines that are none are named, and say nothing of themselves', async (t) => {
  for (const [line, number] of [
    ['ann:password', 2],
    ['ann', 2],
    [':$2b$04$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2', 2],
    ['a b:$2b$04$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2', 2],
    ['ann:$apr1$abcdefgh$0123456789012345678901', 2],
    ['ann:$2x$04$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2', 2],
    ['ann:$2b$31$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2', 2],
    ['ann:$2b$04$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2 x', 2],
  ] as const) {
    const path = await fileOf(t, `${lineOf('bob', 'x')}${line}\n`);
    const error = await t.throwsAsync(
      Htpasswd.open(path, () => {}),
      { code: 'ERR_FACTORY_SETUP' },
    );
    t.true(error?.message.includes(`line ${number}: must be`), line);
    t.false(error?.message.includes('$'));
  }
  await t.throwsAsync(
    Htpasswd.open('/nowhere', () => {}),
    { message: '/nowhere: ENOENT' },
  );
});

test('a file that changes counts from then on, also for who was in a moment ago; one that is broken does not', async (t) => {
  const path = await fileOf(t, lineOf('ann', 'one'));
  const warned: string[] = [];
  using file = await Htpasswd.open(path, (line) => warned.push(line));
  const isRight = async (password: string): Promise<boolean> =>
    await file.isRight('ann', Buffer.from(password), '::1');
  t.true(await isRight('one'));
  await writeFile(`${path}.new`, 'broken');
  await rename(`${path}.new`, path);
  await file.reload();
  t.true(await isRight('one'));
  t.regex(warned.join('\n'), /^passwords stay as they were: .*line 1: must be/);
  await writeFile(`${path}.new`, lineOf('ann', 'two'));
  await rename(`${path}.new`, path);
  await file.reload();
  t.false(await isRight('one'));
  t.true(await isRight('two'));
});

test('an address that is wrong too often waits, however many it asks at once; others and who is known do not', async (t) => {
  using file = await Htpasswd.open(await fileOf(t, lineOf('ann', 'one')), () => {});
  const attempt = (password: string, from: string): Promise<boolean> =>
    file.isRight('ann', Buffer.from(password), from);
  t.true(await attempt('one', '198.51.100.1'));
  const answers = await Promise.allSettled(
    Array.from({ length: 50 }, () => attempt('wrong', '198.51.100.2')),
  );
  t.is(answers.filter(({ status }) => status === 'fulfilled').length, 20);
  await t.throwsAsync(attempt('other', '198.51.100.2'), { code: 'ERR_FACTORY_BUSY' });
  t.true(await attempt('one', '198.51.100.2'));
  t.false(await attempt('wrong', '198.51.100.1'));
});

test('who has a network of IPv6 has as many attempts as who has an address', async (t) => {
  using file = await Htpasswd.open(await fileOf(t, lineOf('ann', 'one')), () => {});
  const attempt = (from: string): Promise<boolean> => file.isRight('ann', Buffer.from('wrong'), from);
  const addresses = Array.from({ length: 50 }, (_, index) => `2001:db8::${index}:1`);
  const answers = await Promise.allSettled(addresses.map((address) => attempt(address)));
  t.is(answers.filter(({ status }) => status === 'fulfilled').length, 20);
  await t.throwsAsync(attempt('2001:db8::ffff'), { code: 'ERR_FACTORY_BUSY' });
  t.false(await attempt('2001:db8:0:1::1'));
});

test('of attempts from everywhere some are hashed at once, some wait, and the others are told to come later', async (t) => {
  using file = await Htpasswd.open(await fileOf(t, lineOf('ann', 'one')), () => {});
  const addresses = Array.from({ length: 100 }, (_, index) => `198.51.100.${index}`);
  const answers = await Promise.allSettled(
    addresses.map((address) => file.isRight('ann', Buffer.from('wrong'), address)),
  );
  const refused = answers.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  t.is(refused.length, 100 - 2 - 64);
  for (const { reason } of refused) t.is(reason.code, 'ERR_FACTORY_OVERLOADED');
  t.true(await file.isRight('ann', Buffer.from('one'), '198.51.100.200'));
});

test('a page of another site does nothing with the password that a browser keeps', async (t) => {
  const htpasswdPath = await fileOf(t, lineOf('ann', 'one'));
  const running = await guardedFactory(t, { authentication: { ...defaultAuthentication, htpasswdPath } });
  const post = async (path: string, headers: Record<string, string>, body: string) =>
    await ask(running, path, { method: 'POST', headers: { ...basic('one'), ...headers }, body });
  const token = '{"actor":"admin","name":"all"}';
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://elsewhere.example' },
    { origin: 'null' },
  ] as Record<string, string>[])
    for (const [path, body] of [
      ['/tokens', token],
      ['/schematics', '{}'],
    ] as const) {
      const refused = await post(path, headers, body);
      t.is(refused.status, 403, `${path} ${JSON.stringify(headers)}`);
      t.regex(refused.body.toString(), /ERR_FACTORY_ORIGIN/);
    }
  t.deepEqual(
    JSON.parse((await ask(running, '/tokens', { headers: basic('one') })).body.toString()).tokens,
    [],
  );
  t.is((await post('/tokens', { 'sec-fetch-site': 'same-origin' }, token)).status, 200);
  t.is((await post('/schematics', { origin: 'http://factory.example.com' }, '{}')).status, 201);
});

test('behind a proxy that is trusted, who is wrong too often keeps nobody else out', async (t) => {
  const htpasswdPath = await fileOf(t, lineOf('ann', 'one'));
  const authentication = { ...defaultAuthentication, htpasswdPath };
  const running = await guardedFactory(t, { authentication, trustedProxies: ['127.0.0.1'] });
  const attempt = async (password: string, from: string): Promise<number> => {
    const headers = { ...basic(password), 'x-forwarded-for': `1.1.1.1, ${from}` };
    return (await ask(running, '/v2/', { headers })).status;
  };
  for (let count = 0; count < 20; count += 1) t.is(await attempt('wrong', '198.51.100.7'), 401);
  t.is(await attempt('one', '198.51.100.7'), 429);
  t.is(await attempt('one', '198.51.100.8'), 200);
});

test('a name with its password may do what an identity can do for itself, and its scripts have no password', async (t) => {
  const htpasswdPath = await fileOf(t, lineOf('ann', 'a:b'));
  const running = await guardedFactory(t, { authentication: { ...defaultAuthentication, htpasswdPath } });
  const post = async (path: string, body: string) =>
    await ask(running, path, { method: 'POST', headers: basic('a:b'), body });
  const { id, schematic } = JSON.parse((await post('/schematics', '{}')).body.toString());
  t.regex(schematic, /^owner: ann\n/);
  t.is((await post('/tokens', '{"actor":"admin","name":"all"}')).status, 200);
  t.is((await post('/tokens', '{"actor":"node","stored":false,"subject":"bob"}')).status, 403);
  const list = JSON.parse((await ask(running, '/tokens', { headers: basic('a:b') })).body.toString());
  t.is(list.tokens.length, 1);
  t.is((await post(`/tokens/${list.tokens[0].id}/revoke`, '')).status, 204);

  const script = await ask(running, `/pxe/${id}/v1.14.0/metal-amd64`, { headers: basic('a:b') });
  t.is(script.status, 200);
  const [address] = script.body.toString().match(/http:\S+/g) ?? [];
  const { pathname, search } = new URL(address!);
  t.is((await ask(running, pathname + search)).status, 200);
  t.is((await ask(running, `/schematics/${id}${search}`)).status, 403);
  t.false(script.body.toString().includes('a:b'));

  const wrong = await ask(running, '/v2/', { headers: basic('a:c') });
  t.is(wrong.status, 401);
  t.is(wrong.headers['www-authenticate'], 'Basic realm="nodecore-factory", charset="UTF-8"');
  for (let count = 0; count < 20; count += 1) await ask(running, '/tokens', { headers: basic('x') });
  const late = await ask(running, '/tokens', { headers: basic('y') });
  t.is(late.status, 429);
  t.is(late.headers['retry-after'], '60');
});
