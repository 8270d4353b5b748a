import test from 'ava';

import { ask, runningFactory, submit } from './running-factory.ts';

const v = 'v1.14.0';

test('who asks for what has an ETag gets that or nothing (RFC 9110, 13.1.1)', async (t) => {
  const running = await runningFactory(t);
  const id = await submit(running, '{}');
  for (const path of [
    `/image/${id}/${v}/initramfs-amd64.xz`,
    `/image/${id}/${v}/metal-amd64.raw.zst`,
    `/image/${id}/${v}/kernel-amd64.sha256`,
    `/osctl/${v}/osctl-linux-amd64`,
    '/openapi.json',
    '/openapi.yaml',
    '/ui/style.css',
    `/v2/metal-installer/${id}/manifests/${v}`,
  ])
    for (const method of ['GET', 'HEAD']) {
      const etag = String((await ask(running, path, { method: 'HEAD' })).headers['etag']);
      const status = async (headers: Readonly<Record<string, string>>): Promise<number> =>
        (await ask(running, path, { method, headers })).status;
      const what = `${method} ${path}`;
      t.regex(etag, /^"[^"]+"$/, what);
      for (const tags of [etag, `"other", ${etag}`, '*'])
        t.is(await status({ 'if-match': tags }), 200, `${what} ${tags}`);
      for (const tags of ['"other"', `W/${etag}`, etag.slice(1, -1), '']) {
        t.is(await status({ 'if-match': tags }), 412, `${what} ${tags}`);
        // Nothing else is looked at before.
        t.is(await status({ 'if-match': tags, 'if-none-match': etag }), 412, `${what} ${tags}`);
        t.is(await status({ 'if-match': tags, range: `bytes=${'9'.repeat(20)}-` }), 412, `${what} ${tags}`);
      }
      t.is(await status({ 'if-match': etag, 'if-none-match': etag }), 304, what);
      // No answer says since when it is what it is.
      t.is(await status({ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }), 200, what);
    }
});

test('a condition that is not met is told as a problem is, and what is not there is not there', async (t) => {
  const running = await runningFactory(t);
  const path = `/osctl/${v}/osctl-linux-amd64`;
  const headers = { 'if-match': '"other"' };
  const told = await ask(running, path, { headers });
  t.is(told.body.toString(), 'ERR_FACTORY_PRECONDITION: if-match: what is here has another ETag\n');
  t.is(told.headers['cache-control'], 'no-store');
  const problem = await ask(running, path, { headers: { ...headers, accept: 'application/json' } });
  t.is(problem.headers['content-type'], 'application/problem+json');
  t.deepEqual(JSON.parse(problem.body.toString()), {
    type: 'about:blank',
    title: 'ERR_FACTORY_PRECONDITION',
    status: 412,
    detail: 'if-match: what is here has another ETag',
    code: 'ERR_FACTORY_PRECONDITION',
  });
  t.is((await ask(running, `${path}x`, { headers })).status, 404);
});
