import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import { parse } from 'yaml';

import { accessOf, routeMap } from '../../src/http/access.ts';
import { type OpenApiDocument, openApiDocument } from '../../src/openapi/document.ts';
import { operations } from '../../src/openapi/operations.ts';
import { type Scope, scopes } from '../../src/tokens/scopes.ts';
import { bearer, guardedFactory, request, submitBy, tokenOf } from '../known-callers.ts';
import { ask, defaultSchematic, type Running, runningFactory } from '../running-factory.ts';

async function documentOf(running: Running): Promise<OpenApiDocument> {
  const { status, headers, body } = await ask(running, '/openapi.json');
  if (status !== 200 || headers['content-type'] !== 'application/json') throw new Error(`${status}`);
  return JSON.parse(body.toString()) as OpenApiDocument;
}

/** Every operation: path, method, and what it says. */
const all = ({ paths }: OpenApiDocument) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

test('the document is OpenAPI 3.1, the same in JSON and YAML, and a cache may ask whether it is still', async (t) => {
  for (const running of [await runningFactory(t), await guardedFactory(t)]) {
    const document = await documentOf(running);
    const found = await new Validator().validate(structuredClone(document));
    t.true(found.valid, JSON.stringify('errors' in found ? found.errors : ''));
    const yaml = await ask(running, '/openapi.yaml');
    t.is(yaml.headers['content-type'], 'application/yaml');
    t.deepEqual(parse(yaml.body.toString()), document);
    const headers = { 'if-none-match': String(yaml.headers['etag']) };
    t.is((await ask(running, '/openapi.yaml', { headers })).status, 304);
    const ids = all(document).map(({ operation }) => operation.operationId);
    t.is(new Set(ids).size, ids.length);
  }
});

test('every route of the route map is in the document, with its scopes and no others', (t) => {
  const document = openApiDocument({ version: 'v1', externalUrl: 'http://f', isGuarded: true });
  const expected = Object.keys(routeMap)
    .filter((name) => name !== 'ALL *')
    .flatMap((name) => {
      const [method = '', route = ''] = name.split(' ');
      const access = accessOf(name, route);
      const path = route.replaceAll(/:(\w+)/g, '{$1}');
      const methods = method === 'GET' ? ['get', 'head'] : [method.toLowerCase()];
      return methods.map((one) => [`${one} ${path}`, access === 'public' ? [] : access] as const);
    });
  const found = all(document)
    .filter(({ path }) => !path.startsWith('/v2/'))
    .map(({ path, method, operation }) => [`${method} ${path}`, operation['x-factory-scopes']] as const);
  t.deepEqual(new Map(found), new Map(expected));
  // And nothing is described that is not served.
  for (const name of Object.keys(operations)) t.true(Object.hasOwn(routeMap, name), name);
});

test('each operation answers as the document says: by every scope, and by nobody', async (t) => {
  const running = await guardedFactory(t);
  const document = await documentOf(running);
  const tokens = new Map<Scope, string>();
  for (const scope of scopes) tokens.set(scope, await tokenOf(running, 'ann', [scope], []));
  const issuer = await tokenOf(running, 'ann', ['token:issue', 'image:read'], ['image:read']);
  const id = await submitBy(running, tokens.get('schematic:create')!);
  const { json } = await request(running, running.bootstrap, {
    subject: 'ann',
    name: 'n',
    scopes: ['image:read'],
  });
  const index = await ask(running, `/v2/metal-installer/${id}/manifests/v1.14.0`, {
    headers: bearer(tokens.get('image:read')!),
  });
  const values: Readonly<Record<string, string>> = {
    schematic: id,
    version: 'v1.14.0',
    id: json.id,
    image: 'metal-installer',
    reference: 'v1.14.0',
    digest: JSON.parse(index.body.toString()).manifests[0].digest,
  };
  const at = (path: string): string =>
    path
      .replace('/schematics/{id}', `/schematics/${id}`)
      .replace('/osctl/{version}/{path}', '/osctl/v1.14.0/osctl-linux-amd64')
      .replace('/pxe/{schematic}/{version}/{path}', `/pxe/${id}/v1.14.0/metal-amd64`)
      .replace('{path}', 'kernel-amd64')
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'x');
  const bodies: Readonly<Record<string, string>> = {
    '/schematics': '{}',
    '/tokens': '{"name":"ci","scopes":["image:read"]}',
  };
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  const asked = all(document).filter(({ path }) => Object.hasOwn(operations, nameOf(path)) || isKnown(path));
  t.true(asked.length > 20);
  for (const { path, method, operation } of asked) {
    const needed = operation['x-factory-scopes'];
    for (const [scope, token] of [['nobody', undefined], ...tokens] as const) {
      const what = `${method} ${path} by ${scope}`;
      const by = path === '/tokens' && scope === 'token:issue' ? issuer : token;
      const headers = { accept: 'application/json', ...(by === undefined ? {} : bearer(by)) };
      const body = bodies[path];
      const answer = await ask(running, at(path), {
        method: method.toUpperCase(),
        headers,
        ...(method === 'post' && body !== undefined ? { body } : {}),
      });
      const isLet = needed.length === 0 || needed.includes(scope);
      t.is([401, 403].includes(answer.status), !isLet, `${what}: ${answer.status}`);
      const responses = operation['responses'] as Readonly<
        Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }>
      >;
      const said = responses[answer.status];
      t.truthy(said, `${what}: ${answer.status} is not in the document`);
      if (method === 'head' || said?.content === undefined) continue;
      const type = String(answer.headers['content-type']);
      t.true(Object.hasOwn(said.content, type), `${what}: ${answer.status} ${type}`);
      const schema = said.content[type]?.schema;
      if (schema === undefined || !type.includes('json')) continue;
      const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
      const validate = ajv.compile(JSON.parse(text));
      t.true(validate(JSON.parse(answer.body.toString())), `${what}: ${ajv.errorsText(validate.errors)}`);
    }
  }
});

const nameOf = (path: string): string => `GET ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
const isKnown = (path: string): boolean =>
  path.startsWith('/v2/') || path.startsWith('/tokens') || path === '/schematics';

test('errors are the problems of the document', async (t) => {
  const running = await runningFactory(t);
  const document = await documentOf(running);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  const isProblem = ajv.compile({ $ref: 'document#/components/schemas/Problem' });
  const headers = { accept: 'application/json' };
  for (const path of ['/nothing', '/osctl/x', '/osctl/v9.9.9', `/image/${defaultSchematic}/x/y`, '/tokens']) {
    const { status, body } = await ask(running, path, { headers });
    const problem = JSON.parse(body.toString());
    t.true(isProblem(problem), ajv.errorsText(isProblem.errors));
    t.is(problem.status, status);
  }
  const wrong = await ask(running, '/schematics', { method: 'POST', headers, body: 'x: 1' });
  t.true(isProblem(JSON.parse(wrong.body.toString())), ajv.errorsText(isProblem.errors));
});
