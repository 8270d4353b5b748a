import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { defaultAuthentication } from '../src/index.ts';
import { bearer, guardedFactory, request, submitBy, tokenOf } from './known-callers.ts';
import { ask, runningFactory } from './running-factory.ts';

const run = promisify(execFile);
const basic = (name: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});

test('a stored token is issued, listed, and refused from its revocation on, in every process', async (t) => {
  const running = await guardedFactory(t);
  const other = await guardedFactory(t, {
    storage: running.options.storage,
    authentication: running.options.authentication!,
  });
  const now = Date.now();
  const scopes = ['image:read', 'token:read', 'token:revoke'];
  const { status, headers, json } = await request(running, running.bootstrap, {
    subject: 'ann',
    name: 'ci',
    scopes,
    ttl: '720h',
  });
  t.is(status, 200);
  t.is(headers['cache-control'], 'private, no-store');
  const { token, ...about } = json;
  t.like(about, { name: 'ci', org_id: 'ann', subject: 'ann', scopes, issuable_scopes: [], stored: true });
  const holds = Date.parse(about.expires_at) - Date.parse(about.created_at);
  t.is(holds, 720 * 3_600_000);
  t.true(Math.abs(Date.parse(about.created_at) - now) < 60_000);

  const { org_id: _, ...listed } = about;
  for (const one of [running, other]) {
    const list = await ask(one, '/tokens', { headers: bearer(token) });
    const [{ last_used_at: used, ...known }, ...others] = JSON.parse(list.body.toString()).tokens;
    t.deepEqual([known, ...others], [listed]);
    t.is(new Date(used).getTime() % 86_400_000, 0);
    t.is(list.headers['cache-control'], 'private, no-store');
  }
  const revoke = { method: 'POST', headers: bearer(token) };
  t.is((await ask(running, `/tokens/${about.id}/revoke`, revoke)).status, 204);
  for (const one of [running, other])
    t.is((await ask(one, '/tokens', { headers: bearer(token) })).status, 401);
});

test("the day of a token's last use is listed, also of a store of an earlier version", async (t) => {
  const storage = await temporaryDirectory(t);
  const file = join(storage, 'tokens.sqlite');
  const earlier = new DatabaseSync(file);
  earlier.exec(`CREATE TABLE tokens (id TEXT PRIMARY KEY, subject TEXT NOT NULL, name TEXT NOT NULL, scopes TEXT NOT NULL,
    issuable_scopes TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, revoked_at INTEGER) STRICT, WITHOUT ROWID`);
  earlier.close();
  let now = new Date('2026-11-23T15:00:00Z');
  const running = await guardedFactory(t, { storage, now: () => now });
  const scopes = ['token:read'];
  const { json } = await request(running, running.bootstrap, { subject: 'ann', name: 'ci', scopes });
  const other = await request(running, running.bootstrap, { subject: 'ann', name: 'unused', scopes });
  const listed = async (): Promise<readonly (string | undefined)[]> => {
    const { body } = await ask(running, '/tokens', { headers: bearer(json.token) });
    const { tokens } = JSON.parse(body.toString()) as { tokens: { id: string; last_used_at?: string }[] };
    return [json.id, other.json.id].map((id) => tokens.find((token) => token.id === id)!.last_used_at);
  };
  t.deepEqual(await listed(), ['2026-11-23T00:00:00Z', undefined]);
  now = new Date('2026-11-23T23:59:59Z');
  t.deepEqual(await listed(), ['2026-11-23T00:00:00Z', undefined]);
  now = new Date('2026-11-24T00:00:00Z');
  t.deepEqual(await listed(), ['2026-11-24T00:00:00Z', undefined]);
});

test('only own stored tokens are revoked, and each once', async (t) => {
  const running = await guardedFactory(t);
  const issue = async (subject: string, stored: boolean): Promise<string> =>
    (await request(running, running.bootstrap, { subject, name: 'n', scopes: ['image:read'], stored })).json
      .id;
  const ann = await tokenOf(running, 'ann', ['token:revoke']);
  const revoke = async (id: string, token = ann): Promise<number> =>
    (await ask(running, `/tokens/${id}/revoke`, { method: 'POST', headers: bearer(token) })).status;
  const own = await issue('ann', true);
  t.is(await revoke(await issue('bob', true)), 404);
  t.is(await revoke(await issue('ann', false)), 404);
  t.is(await revoke(own, running.bootstrap), 404);
  t.is(await revoke('%2e%2e'), 404);
  t.is(await revoke(own), 204);
  t.is(await revoke(own), 404);
});

test('a token is taken as bearer, as a password beside any name, or from the address of what is read', async (t) => {
  const running = await guardedFactory(t);
  const token = await tokenOf(running, 'ann', ['image:read', 'schematic:create']);
  const managing = await tokenOf(running, 'ann', ['image:read', 'token:read']);
  const id = await submitBy(running, token);
  const path = `/image/${id}/v1.14.0/kernel-amd64`;
  const status = async (
    query: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<number> => (await ask(running, `${path}${query}`, { method, headers })).status;
  t.is(await status('', bearer(token)), 200);
  t.is(await status('', { authorization: `bEARER ${token} ` }), 200);
  t.is(await status('', basic('anybody', token)), 200);
  t.is(await status('', basic('', token)), 200);
  t.is(await status('', basic(token, '')), 401);
  t.is(await status('', basic('ann', 'password')), 401);
  t.is(await status('', { authorization: token }), 401);
  t.is(await status(`?token=${token}`), 200);
  t.is(await status(`?filename=k&token=${token}`, {}, 'HEAD'), 200);
  t.is(await status(`?token=${token}`, bearer('x')), 200);
  t.is(await status('?token=x', bearer(token)), 200);
  t.is(await status('?token=x'), 401);
  t.is(await status(`?token=${token}&token=${token}`), 401);
  const other = await tokenOf(running, 'ann', ['schematic:read']);
  t.is(await status(`?token=${other}`), 403);
  t.is(await status(`?token=${other}`, bearer(token)), 200);
  t.is(await status(`?token=${other}`, bearer('x')), 401);
  t.is(await status('', bearer(managing)), 200);
  t.is(await status(`?token=${managing}`), 401);
  t.is((await ask(running, `/tokens?token=${managing}`)).status, 401);
  t.is((await ask(running, `/schematics?token=${token}`, { method: 'POST', body: '{}' })).status, 401);
});

test('refusals say what to bring, as a registry says it on its paths', async (t) => {
  const running = await guardedFactory(t);
  const token = await tokenOf(running, 'ann', ['schematic:read']);
  const unknown = await ask(running, '/tokens', { headers: { accept: 'application/json' } });
  t.is(unknown.status, 401);
  t.is(
    unknown.headers['www-authenticate'],
    'Bearer realm="nodecore-factory", Basic realm="nodecore-factory", charset="UTF-8"',
  );
  t.is(JSON.parse(unknown.body.toString()).code, 'ERR_FACTORY_CREDENTIAL');
  const short = await ask(running, '/v2/', { headers: bearer(token) });
  t.is(short.status, 403);
  t.is(
    short.headers['www-authenticate'],
    'Bearer error="insufficient_scope", scope="image:read source:pull"',
  );
  t.is(JSON.parse(short.body.toString()).errors[0].code, 'DENIED');
  const registry = await ask(running, '/v2/');
  t.is(registry.status, 401);
  t.is(registry.headers['www-authenticate'], 'Basic realm="nodecore-factory", charset="UTF-8"');
  t.is(JSON.parse(registry.body.toString()).errors[0].code, 'UNAUTHORIZED');
  t.false(String(registry.body).includes(token));
});

const bodies: readonly (readonly [body: string, status: number, message: RegExp])[] = [
  ['', 400, /must be one JSON object/],
  ['[]', 400, /must be one JSON object/],
  ['{"scopes":["image:read"],"scopes":["image:read"],"stored":false}', 400, /each field once/],
  ['{"scopes":["image:read"],"stored":false,"any_subject":true}', 400, /"any_subject": no such field/],
  ['{"scopes":["image:read"]}', 400, /name: a stored token has one/],
  ['{"scopes":["image:read"],"name":"a\\u001b[2J"}', 400, /name: must be a text/],
  ['{"scopes":["image:write"],"stored":false}', 400, /scopes: must be a list/],
  ['{"scopes":["admin"],"stored":false}', 400, /scopes: must be a list/],
  ['{"scopes":"image:read","stored":false}', 400, /scopes: must be a list/],
  ['{"stored":false}', 400, /scopes: must be a list/],
  ['{"scopes":["image:read"],"stored":0}', 400, /stored: must be true or false/],
  ['{"scopes":["image:read"],"stored":false,"ttl":60}', 400, /ttl: must be a duration/],
  ['{"scopes":["image:read"],"stored":false,"ttl":"9h"}', 400, /at most 8h/],
  ['{"actor":"node","scopes":["image:read"]}', 400, /actor: stands in place/],
  ['{"actor":"root"}', 400, /actor: must be one of node, automation, operator, admin/],
  [`{"scopes":["image:read"],"stored":false,"name":"${'a'.repeat(4_096)}"}`, 400, /more than 4096 bytes/],
];

test('a request that makes no sense says which field', async (t) => {
  const running = await guardedFactory(t);
  for (const [body, status, message] of bodies) {
    const answer = await request(running, running.bootstrap, body);
    t.is(answer.status, status, body);
    t.regex(answer.body.toString(), message);
  }
});

test('who has no bootstrap credential issues for itself, below its ceiling, and actors are sets of scopes', async (t) => {
  const running = await guardedFactory(t);
  const admin = await request(running, running.bootstrap, { actor: 'admin', subject: 'ann', stored: false });
  t.is(admin.json.issuable_scopes.length, 8);
  const automation = await request(running, admin.json.token, { actor: 'automation', stored: false });
  t.like(automation.json, { subject: 'ann', stored: false });
  const by = automation.json.token;
  t.is((await request(running, by, { actor: 'node', stored: false })).status, 200);
  for (const body of [
    { actor: 'operator', stored: false },
    { scopes: ['token:read'], stored: false },
    { scopes: ['image:read', 'token:issue'], issuable_scopes: ['source:pull'], stored: false },
    { scopes: ['image:read'], subject: 'bob', stored: false },
  ]) {
    const { status, headers } = await request(running, by, body);
    t.is(status, 403, JSON.stringify(body));
    t.is(headers['www-authenticate'], undefined);
  }
  const node = await request(running, by, { actor: 'node', stored: false });
  t.is((await request(running, node.json.token, { actor: 'node', stored: false })).status, 403);
});

test('of many stored tokens at once, as many as may be are issued', async (t) => {
  const running = await guardedFactory(t);
  const other = await guardedFactory(t, {
    storage: running.options.storage,
    authentication: running.options.authentication!,
  });
  const body = { subject: 'ann', name: 'n', scopes: ['image:read'] };
  const answers = await Promise.all(
    Array.from({ length: 14 }, (_, index) =>
      request(index % 2 === 0 ? running : other, running.bootstrap, body),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  t.is(statuses.filter((status) => status === 200).length, 10);
  t.is(statuses.filter((status) => status === 409).length, 4);
  t.is((await request(running, running.bootstrap, { ...body, subject: 'bob' })).status, 200);
  const revoking = await tokenOf(running, 'ann', ['token:revoke']);
  const { id } = answers.find(({ status }) => status === 200)!.json;
  await ask(running, `/tokens/${id}/revoke`, { method: 'POST', headers: bearer(revoking) });
  t.is((await request(running, running.bootstrap, body)).status, 200);
});

test('a token that has expired is refused, is not listed, and makes room', async (t) => {
  let now = new Date('2026-06-01T12:00:00Z');
  const authentication = { ...defaultAuthentication, maxPerSubject: 1 };
  const running = await guardedFactory(t, { now: () => now, authentication });
  const body = { subject: 'ann', name: 'n', scopes: ['image:read'], ttl: '1h' };
  const { token } = (await request(running, running.bootstrap, body)).json;
  t.is((await ask(running, '/v2/', { headers: bearer(token) })).status, 200);
  t.is((await request(running, running.bootstrap, body)).status, 409);
  now = new Date('2026-06-01T13:00:31Z');
  const refused = await ask(running, '/v2/', { headers: bearer(token) });
  t.is(refused.status, 401);
  const reading = await tokenOf(running, 'ann', ['token:read']);
  const list = await ask(running, '/tokens', { headers: bearer(reading) });
  t.deepEqual(JSON.parse(list.body.toString()), { tokens: [] });
  t.is((await request(running, running.bootstrap, body)).status, 200);
});

test('clocks may differ by 30 seconds: for so long after its end a token still holds that is not stored, and no other', async (t) => {
  let now = new Date('2026-06-01T12:00:00Z');
  const running = await guardedFactory(t, { now: () => now });
  const body = { subject: 'ann', scopes: ['image:read'] };
  const brief = (await request(running, running.bootstrap, { ...body, stored: false, ttl: '1h' })).json.token;
  const stored = (await request(running, running.bootstrap, { ...body, name: 'n', ttl: '1h' })).json.token;
  const statuses = async (at: string): Promise<readonly number[]> => {
    now = new Date(at);
    const asked = [brief, stored].map((token) => ask(running, '/v2/', { headers: bearer(token) }));
    return (await Promise.all(asked)).map(({ status }) => status);
  };
  t.deepEqual(await statuses('2026-06-01T12:59:59Z'), [200, 200]);
  t.deepEqual(await statuses('2026-06-01T13:00:29Z'), [200, 401]);
  t.deepEqual(await statuses('2026-06-01T13:00:30Z'), [401, 401]);
});

test('while records can not be read, stored tokens let nobody in, and the others go on', async (t) => {
  const running = await guardedFactory(t);
  const body = { subject: 'ann', name: 'n', scopes: ['image:read'] };
  const { token } = (await request(running, running.bootstrap, body)).json;
  const ephemeral = await tokenOf(running, 'ann', ['image:read']);
  using database = new DatabaseSync(join(running.options.storage, 'tokens.sqlite'));
  database.exec('DROP TABLE tokens');
  for (const asked of [
    { path: '/v2/', headers: bearer(token) },
    { path: `/v2/?token=${token}`, headers: {} },
  ])
    t.is((await ask(running, asked.path, asked)).status, 503);
  t.is((await request(running, running.bootstrap, body)).status, 503);
  t.is((await ask(running, '/v2/', { headers: bearer(ephemeral) })).status, 200);
});

test('the store of tokens has none of them in it', async (t) => {
  const running = await guardedFactory(t);
  const body = { subject: 'ann', name: 'n', scopes: ['image:read'] };
  const { token } = (await request(running, running.bootstrap, body)).json;
  using database = new DatabaseSync(join(running.options.storage, 'tokens.sqlite'));
  const rows = JSON.stringify(database.prepare('SELECT * FROM tokens').all());
  t.true(rows.includes('ann'));
  for (const part of token.split('.')) t.false(rows.includes(part));
});

test('a schematic is its submitter’s: its ID has the owner in it, and others get no part of it', async (t) => {
  const running = await guardedFactory(t);
  const scopes = ['image:read', 'schematic:create', 'schematic:read'] as const;
  const [ann, bob] = [await tokenOf(running, 'ann', scopes), await tokenOf(running, 'bob', scopes)];
  const id = await submitBy(running, ann, 'customization: {extraKernelArgs: [secret=1]}');
  t.not(id, await submitBy(running, bob, 'customization: {extraKernelArgs: [secret=1]}'));
  const text = (await ask(running, `/schematics/${id}`, { headers: bearer(ann) })).body.toString();
  t.regex(text, /^owner: ann\n/);
  t.is(await submitBy(running, ann, text), id);
  const given = await ask(running, '/schematics', { method: 'POST', headers: bearer(bob), body: text });
  t.is(given.status, 403);
  for (const path of [
    `/schematics/${id}`,
    `/image/${id}/v1.14.0/metal-amd64.raw`,
    `/image/${id}/v1.14.0/metal-amd64.raw.sha256`,
    `/pxe/${id}/v1.14.0/metal-amd64`,
    `/v2/metal-installer/${id}/manifests/v1.14.0`,
    `/v2/metal-installer/${id}/tags/list`,
  ]) {
    const answer = await ask(running, path, { headers: bearer(ann) });
    t.is(answer.status, 200, path);
    t.is(answer.headers['cache-control'], 'private, no-store');
    t.is(answer.headers['referrer-policy'], 'no-referrer');
    const foreign = await ask(running, path, { headers: bearer(bob) });
    t.is(foreign.status, 403, path);
    t.false(foreign.body.includes('secret='));
    t.is((await ask(running, path)).status, 401, path);
    const missing = await ask(running, path.replace(id, '0'.repeat(64)));
    t.is(missing.status, 401, path);
  }
});

test('a factory that asks nobody any more serves no schematic that has an owner', async (t) => {
  const running = await guardedFactory(t);
  const id = await submitBy(running, await tokenOf(running, 'ann', ['schematic:create']));
  const open = await runningFactory(t, { storage: running.options.storage });
  for (const path of [`/schematics/${id}`, `/v2/metal-installer/${id}/tags/list`])
    t.is((await ask(open, path)).status, 403);
});

test('a schematic without an owner is for nobody, or for every caller where it is said so', async (t) => {
  const running = await guardedFactory(t);
  using database = new DatabaseSync(join(running.options.storage, 'schematics.sqlite'));
  const id = '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba';
  database
    .prepare('INSERT INTO schematics (id, text, created) VALUES (?, ?, ?)')
    .run(id, 'customization: {}\n', '2026-06-01T12:00:00Z');
  const other = await guardedFactory(t, {
    storage: running.options.storage,
    authentication: { ...running.options.authentication!, hasPublicSchematics: true },
  });
  const ann = bearer(await tokenOf(running, 'ann', ['schematic:read']));
  t.is((await ask(running, `/schematics/${id}`, { headers: ann })).status, 403);
  t.is((await ask(other, `/schematics/${id}`, { headers: ann })).status, 200);
  t.is((await ask(other, `/schematics/${id}`)).status, 401);
});

test('a script for iPXE has the token of who fetched it in its addresses, unless it manages others', async (t) => {
  const running = await guardedFactory(t);
  const token = await tokenOf(running, 'ann', ['image:read', 'schematic:create']);
  const managing = await tokenOf(running, 'ann', ['image:read', 'token:issue']);
  const id = await submitBy(running, token);
  const path = `/pxe/${id}/v1.14.0/metal-amd64`;
  const { headers, body } = await ask(running, `${path}?token=${token}`);
  t.is(headers['cache-control'], 'private, no-store');
  const addresses = body.toString().match(/http:\S+/g) ?? [];
  t.is(addresses.length, 2);
  for (const address of addresses) {
    const { pathname, search } = new URL(address);
    t.is(search, `?token=${token}`);
    t.is((await ask(running, pathname + search)).status, 200);
  }
  const refused = await ask(running, path, { headers: bearer(managing) });
  t.is(refused.status, 403);
  t.false(refused.body.toString().includes(managing));
});

test('the key set is public, and has nothing private in it', async (t) => {
  const running = await guardedFactory(t);
  const { keys } = JSON.parse((await ask(running, '/.well-known/jwks.json')).body.toString());
  t.is(keys.length, 1);
  t.deepEqual(Object.keys(keys[0]).toSorted(), ['alg', 'crv', 'kid', 'kty', 'use', 'x']);
});

test('skopeo pulls an installer with a token as its password, and not without', async (t) => {
  const running = await guardedFactory(t);
  const token = await tokenOf(running, 'ann', ['image:read', 'schematic:create']);
  const id = await submitBy(running, token);
  const { host, port } = running.factory.address;
  const reference = `docker://${host}:${port}/metal-installer/${id}:v1.14.0`;
  const file = join(await temporaryDirectory(t), 'auth.json');
  const inspect = ['inspect', '--tls-verify=false', '--authfile', file, reference];
  const failed = await t.throwsAsync(run('skopeo', inspect));
  t.regex(String(failed), /unauthorized|authentication required/i);
  const { stdout } = await run('skopeo', [...inspect, '--creds', `node:${token}`]);
  t.is(JSON.parse(stdout).Architecture, 'amd64');
});
