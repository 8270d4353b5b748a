import test from 'ava';

import { startFactory } from '../src/index.ts';
import { assertMapped, routeMap } from '../src/http/access.ts';
import { type Scope, scopes } from '../src/tokens/scopes.ts';
import { bearer, guardedFactory, submitBy, tokenOf } from './known-callers.ts';
import { ask, factoryOptions, runningFactory } from './running-factory.ts';

const version = 'v1.14.0';

/** A request for every route of the map, and who may make it. */
const requests: readonly (readonly [route: string, method: string, path: string, readonly Scope[]])[] = [
  ['GET /healthz', 'GET', '/healthz', scopes],
  ['GET /readyz', 'GET', '/readyz', scopes],
  ['GET /openapi.json', 'GET', '/openapi.json', scopes],
  ['GET /openapi.yaml', 'GET', '/openapi.yaml', scopes],
  ['GET /llms.txt', 'GET', '/llms.txt', scopes],
  ['GET /robots.txt', 'GET', '/robots.txt', scopes],
  ['POST /schematics', 'POST', '/schematics', ['schematic:create']],
  ['GET /schematics', 'GET', '/schematics?mine', ['schematic:read']],
  ['GET /schematics', 'HEAD', '/schematics?mine', ['schematic:read']],
  ['GET /schematics/:id', 'GET', '/schematics/ID', ['schematic:read']],
  ['GET /schematics/:id', 'HEAD', '/schematics/ID', ['schematic:read']],
  ['GET /image/:schematic/:version/:path', 'GET', `/image/ID/${version}/kernel-amd64`, ['image:read']],
  ['GET /image/:schematic/:version/:path', 'HEAD', `/image/ID/${version}/kernel-amd64`, ['image:read']],
  ['GET /pxe/:schematic/:version/:path', 'GET', `/pxe/ID/${version}/metal-amd64`, ['image:read']],
  ['GET /spdx/:schematic/:version/:arch', 'GET', `/spdx/ID/${version}/amd64`, ['report:read']],
  ['GET /cyclonedx/:schematic/:version/:arch', 'GET', `/cyclonedx/ID/${version}/amd64`, ['report:read']],
  ['GET /vex/:version/vex.json', 'HEAD', `/vex/${version}/vex.json`, ['report:read']],
  [
    'GET /scans/:schematic/:version/:arch/:report',
    'GET',
    `/scans/ID/${version}/amd64/report.json`,
    ['report:read'],
  ],
  ['GET /versions', 'GET', '/versions', scopes],
  ['GET /version/:version/extensions/official', 'GET', `/version/${version}/extensions/official`, scopes],
  ['GET /version/:version/overlays/official', 'GET', `/version/${version}/overlays/official`, scopes],
  ['GET /osctl/:version', 'GET', `/osctl/${version}`, scopes],
  ['GET /osctl/:version/:path', 'HEAD', `/osctl/${version}/osctl-linux-amd64`, scopes],
  ['GET /secureboot/signing-cert.pem', 'GET', '/secureboot/signing-cert.pem', scopes],
  ['GET /oci/cosign/signing-key.pub', 'GET', '/oci/cosign/signing-key.pub', scopes],
  ['GET /.well-known/jwks.json', 'GET', '/.well-known/jwks.json', scopes],
  ['POST /tokens', 'POST', '/tokens', ['token:issue']],
  ['GET /tokens', 'GET', '/tokens', ['token:read']],
  ['GET /tokens', 'HEAD', '/tokens', ['token:read']],
  ['POST /tokens/:id/revoke', 'POST', '/tokens/x/revoke', ['token:revoke']],
  ['GET /login', 'GET', '/login', scopes],
  ['GET /callback', 'GET', '/callback', scopes],
  ['GET /logout', 'GET', '/logout', scopes],
  ['POST /logout', 'POST', '/logout', scopes],
  ['GET /', 'GET', '/', [...scopes]],
  ['GET /', 'HEAD', '/?target=metal', [...scopes]],
  ['GET /ui/schematic', 'GET', '/ui/schematic?schematic-id=ID', ['schematic:read']],
  ['POST /ui/wizard', 'POST', '/ui/wizard', ['schematic:create']],
  ['GET /ui/tokens', 'GET', '/ui/tokens', ['token:read']],
  ['POST /ui/tokens', 'POST', '/ui/tokens', ['token:issue']],
  ['POST /ui/tokens/:id/revoke', 'POST', '/ui/tokens/x/revoke', ['token:revoke']],
  ['GET /ui/api', 'GET', '/ui/api', scopes],
  ['GET /ui/style.css', 'GET', '/ui/style.css', scopes],
  ['GET /ui/page.js', 'GET', '/ui/page.js', scopes],
  ['GET /ui/icon.svg', 'GET', '/ui/icon.svg', scopes],
  ['ALL *', 'GET', '/v2', ['image:read', 'source:pull']],
  ['ALL *', 'GET', '/v2/', ['image:read', 'source:pull']],
  ['ALL *', 'GET', `/v2/metal-installer/ID/manifests/${version}`, ['image:read']],
  ['ALL *', 'HEAD', `/v2/metal-installer/ID/manifests/${version}`, ['image:read']],
  ['ALL *', 'GET', '/v2/metal-installer/ID/tags/list', ['image:read']],
  ['ALL *', 'POST', '/v2/metal-installer/ID/blobs/uploads/', ['image:read']],
  ['ALL *', 'GET', '/v2/os/installer/manifests/latest', ['source:pull']],
  ['ALL *', 'GET', '/v2/os/../metal-installer/ID/tags/list', ['source:pull']],
  ['ALL *', 'GET', '/v2/metal-installer/../os/installer/tags/list', ['image:read']],
  ['ALL *', 'GET', '/v2/%6fs/installer/manifests/latest', ['image:read']],
  ['ALL *', 'GET', '/%76%32/metal-installer/ID/tags/list', scopes],
  ['ALL *', 'GET', '//schematics/ID', scopes],
  ['ALL *', 'GET', '/nothing', scopes],
  ['ALL *', 'OPTIONS', '/schematics', scopes],
];

test('every route, by every scope: let in with the scope of the route map, refused with any other and with none', async (t) => {
  t.deepEqual(new Set(requests.map(([route]) => route)), new Set(Object.keys(routeMap)));
  const running = await guardedFactory(t);
  const tokens = new Map<Scope, string>();
  for (const scope of scopes) tokens.set(scope, await tokenOf(running, 'ann', [scope]));
  const id = await submitBy(running, tokens.get('schematic:create')!);
  const status = async (method: string, path: string, token?: string): Promise<number> =>
    (
      await ask(running, path.replace('ID', id), {
        method,
        headers: token === undefined ? {} : bearer(token),
      })
    ).status;
  for (const [, method, path, allowed] of requests) {
    const isPublic = allowed === scopes;
    t.is((await status(method, path)) === 401, !isPublic, `${method} ${path} by nobody`);
    for (const [scope, token] of tokens) {
      const answered = await status(method, path, token);
      const what = `${method} ${path} by ${scope}: ${answered}`;
      if (allowed.includes(scope)) t.false([401, 403, 500].includes(answered), what);
      else t.is(answered, 403, what);
    }
  }
});

test('who names the whole address is let in and served as who names the path', async (t) => {
  const running = await guardedFactory(t);
  const id = await submitBy(running, await tokenOf(running, 'ann', ['schematic:create']));
  const tokens = [undefined, await tokenOf(running, 'ann', ['image:read'])];
  const asked = requests.filter(([, method]) => method !== 'POST');
  for (const [, method, route] of asked)
    for (const token of tokens) {
      const path = route.replace('ID', id);
      const headers = token === undefined ? {} : bearer(token);
      const { status } = await ask(running, path, { method, headers });
      for (const target of [`http://elsewhere${path}`, `HTTPS://elsewhere:1${path}`])
        t.is((await ask(running, target, { method, headers })).status, status, `${method} ${target}`);
    }
  const image = `/image/${id}/${version}/kernel-amd64`;
  t.is((await ask(running, `http://elsewhere${image}`)).status, 401);
  t.is((await ask(running, `http://elsewhere/v2/metal-installer/${id}/tags/list`)).status, 401);
  t.is((await ask(running, `http://elsewhere/v2/?token=${tokens[1]}`)).status, 200);
  for (const target of ['http://elsewhere', 'http://elsewhere?lang=de'])
    t.is((await ask(running, target, { headers: bearer(tokens[1]!) })).status, 200, target); // the wizard
  t.is((await ask(running, 'http://elsewhere')).status, 401);
});

test('a path never says one thing to the route map and another to who serves it', async (t) => {
  const running = await guardedFactory(t);
  const create = await tokenOf(running, 'ann', ['schematic:create']);
  const id = await submitBy(running, create);
  for (const path of [
    `/%76%32/metal-installer/${id}/tags/list`,
    `/x/../v2/metal-installer/${id}/tags/list`,
    `//v2/metal-installer/${id}/tags/list`,
    `/./schematics/${id}`,
    `//schematics/${id}`,
    `/SCHEMATICS/${id}`,
    `/schematics//${id}`,
    `/schematics/${id}/`,
    `/versions/../schematics/${id}`,
    `/image/../schematics/${id}`,
    `/schematics%2f${id}`,
  ]) {
    const { status, body } = await ask(running, path);
    t.true([400, 401, 404].includes(status), `${path}: ${status}`);
    t.false(body.toString().includes('customization'), path);
  }
});

test.serial(
  'a route that the map does not have keeps a factory from its start, and leaves nothing open',
  async (t) => {
    const options = await factoryOptions(t);
    const listen = { host: '127.21.33.7', port: 20_121 }; // nobody else's, and no port that is given to who asks for any
    const map = routeMap as Record<string, unknown>;
    const { 'GET /versions': access } = map;
    map['GET /versions'] = undefined;
    t.teardown(() => void (map['GET /versions'] = access));
    await t.throwsAsync(startFactory({ ...options, listen }), {
      code: 'ERR_FACTORY_SETUP',
      message: /^GET \/versions: a route that the route map does not have/,
    });
    map['GET /versions'] = access;
    const factory = await startFactory({ ...options, listen });
    await factory.close();
  },
);

test('only what the route map has is a route', (t) => {
  t.notThrows(() => assertMapped([{ method: 'GET', path: '/versions' }]));
  for (const route of [
    { method: 'GET', path: '/secrets' },
    { method: 'PUT', path: '/versions' },
    { method: 'GET', path: 'constructor' },
  ])
    t.throws(() => assertMapped([route]), { code: 'ERR_FACTORY_SETUP' });
});

test('without authentication nobody is asked, and there are no tokens', async (t) => {
  const running = await runningFactory(t);
  for (const [, method, path] of requests) {
    const { status, headers } = await ask(running, path, { method, headers: bearer('x') });
    t.false([401, 403, 500].includes(status), `${method} ${path}`);
    t.is(headers['www-authenticate'], undefined);
  }
  for (const [method, path] of [
    ['POST', '/tokens'],
    ['GET', '/tokens'],
    ['GET', '/.well-known/jwks.json'],
  ] as const) {
    const { status, body } = await ask(running, path, { method });
    t.is(status, 404);
    t.regex(body.toString(), /authentication\.enabled is not true/);
  }
});

test('what was removed says what is in its place', async (t) => {
  const running = await guardedFactory(t);
  for (const method of ['GET', 'POST'])
    for (const path of ['/node-tokens', '/download-token']) {
      const { status, body } = await ask(running, path, { method });
      t.is(status, 404);
      t.is(body.toString(), 'ERR_FACTORY_PATH: is no more: POST /tokens issues tokens of every sort\n');
    }
});
