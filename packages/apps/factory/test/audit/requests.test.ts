import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import type { AuditRecord } from '../../src/audit/audit-log.ts';
import type { LogFilesOptions } from '../../src/audit/log-files.ts';
import { bearer, guardedFactory, submitBy, tokenOf } from '../known-callers.ts';
import { ask, runningFactory, submit } from '../running-factory.ts';

async function auditOf(t: ExecutionContext): Promise<LogFilesOptions> {
  const path = join(await temporaryDirectory(t), 'audit.log');
  return { path, maxSizeBytes: 1 << 20, maxBackups: 1, maxAgeDays: 1 };
}

/** Every character as `%hh`. */
const hex = (text: string): string => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&');

async function recordsIn({ path }: { readonly path: string }): Promise<readonly AuditRecord[]> {
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as AuditRecord);
}

test('each request is recorded with who, what, and how it ended', async (t) => {
  const audit = await auditOf(t);
  const running = await guardedFactory(t, { audit });
  const token = await tokenOf(running, 'ann', ['schematic:create', 'schematic:read']);
  const id = await submitBy(running, token);
  const headers = { ...bearer(token), 'x-request-id': 'a.1' };
  const { headers: answered } = await ask(running, `/schematics/${id}?a=b`, { headers });
  t.is(answered['x-request-id'], 'a.1');
  const other = await ask(running, '/tokens', {
    headers: { ...bearer(token), 'x-request-id': 'a b\u00ff"' },
  });
  await ask(running, '/schematics/x', { headers: bearer('x.y.z') });
  await ask(running, '/nothing%e4%0a%1b', { method: 'DELETE' });
  await running.factory.close();
  const [, created, read, refused, unknown, nothing] = await recordsIn(audit);
  t.like(created, { username: 'ann', method: 'POST', path: '/schematics', status: 201, error: '' });
  t.like(read, { request_id: 'a.1', username: 'ann', path: `/schematics/${id}`, client_ip: '127.0.0.1' });
  t.like(refused, { username: '', path: '/tokens', status: 403, error: 'ERR_FACTORY_SCOPE' });
  t.is(refused!.request_id, other.headers['x-request-id'] as string);
  t.regex(refused!.request_id, /^[0-9a-f-]{36}$/);
  t.like(unknown, { username: '', status: 401, error: 'ERR_FACTORY_CREDENTIAL' });
  t.like(nothing, { method: 'DELETE', status: 404, error: 'ERR_FACTORY_PATH' });
  t.deepEqual(Object.keys(read!), [
    'time',
    'request_id',
    'username',
    'client_ip',
    'method',
    'path',
    'status',
    'duration',
    'error',
  ]);
  t.true(read!.duration > 0 && read!.duration < 60);
  t.true(Math.abs(Date.parse(read!.time) - Date.now()) < 60_000);
});

test('no record has a token in it, wherever a request has put one', async (t) => {
  const audit = await auditOf(t);
  const running = await guardedFactory(t, { audit });
  const token = await tokenOf(running, 'ann', ['image:read', 'token:read']);
  const [head = '', claims = '', signature = ''] = token.split('.');
  for (const path of [
    `/v2/?token=${token}`,
    `/schematics/${token}`,
    `/tokens/${token}/revoke`,
    `/nothing/${head}.${claims}`,
    `/nothing/${hex(token)}`,
    `/nothing/%65${token.slice(1)}`,
    `/${token}?token=${token}`,
    `/nothing/${'eyJ'.repeat(1_000)}/${token}`,
  ])
    await ask(running, path, { headers: { ...bearer(token), 'x-request-id': token.slice(0, 128) } });
  await running.factory.close();
  const text = await readFile(audit.path, 'utf8');
  for (const part of [head, claims, signature, hex(claims), hex(signature)]) t.false(text.includes(part));
  t.true(text.includes('[token]'));
  t.is((await recordsIn(audit)).length, 9);
});

test('who goes away before the end is recorded as 499, also by the end of the factory', async (t) => {
  const audit = await auditOf(t);
  const running = await runningFactory(t, { audit });
  const id = await submit(running, '{}');
  const { host, port } = running.factory.address;
  const socket = connect(port, host);
  socket.write(`GET /image/${id}/v1.14.0/initramfs-amd64.xz HTTP/1.1\r\nHost: x\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  await running.factory.close();
  socket.destroy();
  const [, left] = await recordsIn(audit);
  t.like(left, { status: 499, error: '', path: `/image/${id}/v1.14.0/initramfs-amd64.xz` });
});

test('a path that is long is cut off in its record, however it is made', async (t) => {
  const audit = await auditOf(t);
  const running = await runningFactory(t, { audit });
  const long = ['eyJ'.repeat(4_000), 'a'.repeat(12_000), '%41'.repeat(4_000), 'eyJ.'.repeat(3_000)];
  for (const path of long) t.is((await ask(running, `/${path}`)).status, 404);
  await running.factory.close();
  const records = await recordsIn(audit);
  t.deepEqual(
    records.map(({ path }) => path.length),
    [2_048, 2_048, 2_048, '/[token]'.length],
  );
});
