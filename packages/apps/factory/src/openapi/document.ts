import { type Access, accessOf, routeMap } from '../http/access.ts';
import { managingScopes } from '../tokens/scopes.ts';
import { sourceImages } from '../http/source-answers.ts';
import { type Operation, operations } from './operations.ts';
import { registryOperations } from './registry-operations.ts';
import { type Schema, schemas } from './schemas.ts';

/** An OpenAPI document, as JSON has it. */
export type OpenApiDocument = {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: Readonly<Record<string, unknown>>;
};

/** One operation of it. */
export type DescribedOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  /** Any of which is enough; empty for what everybody may ask. */
  readonly 'x-factory-scopes': readonly string[];
  readonly [more: string]: unknown;
};

export type OpenApiOptions = {
  readonly version: string;
  readonly externalUrl: string;
  /** Whether callers are asked who they are. */
  readonly isGuarded: boolean;
};

const parameterSchemas: Readonly<Record<string, Schema>> = {
  schematic: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  version: { type: 'string', examples: ['v1.14.0'] },
  path: { type: 'string', examples: ['metal-amd64.iso'] },
  id: { type: 'string' },
  image: { type: 'string', examples: ['metal-installer', 'metal-installer-secureboot'] },
  source: { type: 'string', enum: [...sourceImages] },
  reference: { type: 'string', examples: ['v1.14.0', 'latest'] },
  digest: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
};

/** Describes every route of the route map, and the registry; who may ask comes from nowhere else. */
export function openApiDocument({ version, externalUrl, isGuarded }: OpenApiOptions): OpenApiDocument {
  const paths: Record<string, Record<string, DescribedOperation>> = {};
  const add = (name: string, access: Access, operation: Operation): void => {
    const [method = '', route = ''] = name.split(' ');
    const path = route.replaceAll(/:(\w+)/g, '{$1}');
    // HEAD is as GET.
    for (const one of method === 'GET' ? ['get', 'head'] : [method.toLowerCase()])
      paths[path] = { ...paths[path], [one]: described(one, route, access, operation, isGuarded) };
  };
  for (const name of Object.keys(routeMap))
    if (name !== 'ALL *') add(name, accessOf(name, name.split(' ')[1] ?? ''), operations[name] ?? bare(name));
  for (const [name, operation] of Object.entries(registryOperations))
    add(name, accessOf('ALL *', name.split(' ')[1] ?? ''), operation);
  return {
    openapi: '3.1.1',
    info: {
      title: 'nodecore image factory',
      version,
      description: isGuarded
        ? 'x-factory-scopes has the scopes of tokens, any of which is enough.'
        : 'This factory asks nobody who they are: what x-factory-scopes says is for those that do.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: externalUrl }],
    paths,
    components: { schemas, ...(isGuarded ? { securitySchemes } : {}) },
  };
}

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  basic: { type: 'http', scheme: 'basic', description: 'a name and its password, or any name and a token' },
  query: { type: 'apiKey', in: 'query', name: 'token', description: 'GET and HEAD alone' },
};

/** What can be said of a route that nobody has described. */
function bare(name: string): Operation {
  return { tag: 'others', summary: name, success: { 200: { description: 'success' } }, problems: [400, 404] };
}

function described(
  method: string,
  route: string,
  access: Access,
  { tag, summary, query = {}, body, success, problems = [] }: Operation,
  isGuarded: boolean,
): DescribedOperation {
  const needed = access === 'public' ? [] : access;
  const names = Array.from(route.matchAll(/:(\w+)/g), ([, name = '']) => name);
  const parameters = [
    ...names.map((name) => ({ name, in: 'path', required: true, schema: parameterSchemas[name] ?? {} })),
    ...Object.entries(query).map(([name, about]) => ({ name, in: 'query', ...about })),
  ];
  const isRead = method !== 'post' && !needed.some((scope) => managingScopes.includes(scope));
  const ways = [{ bearer: [] }, { basic: [] }, ...(isRead ? [{ query: [] }] : [])];
  const refusals = isGuarded && needed.length > 0 ? [401, 403, 429, 503] : [];
  const words = route
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return {
    operationId: `${method}${words.join('')}`,
    summary,
    tags: [tag],
    'x-factory-scopes': needed,
    ...(isGuarded ? { security: needed.length > 0 ? ways : [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(body.types.map((type) => [type, { schema: body.schema }])),
      },
    }),
    responses: {
      ...Object.fromEntries(
        [...new Set([...problems, ...refusals])].map((status) => [status, problemOf(tag)]),
      ),
      ...Object.fromEntries(
        Object.entries(success).map(([status, { description, type, schema }]) => [
          status,
          {
            description,
            ...(type !== undefined &&
              method !== 'head' && {
                content: { [type]: schema === undefined ? {} : { schema: reference(schema) } },
              }),
          },
        ]),
      ),
    },
  };
}

/** An error is a line of text, or for who accepts JSON a problem; registries and pages have their own ways. */
function problemOf(tag: string): object {
  const others = {
    'text/plain; charset=utf-8': { schema: { type: 'string', pattern: '^ERR_\\w+: ' } },
    'application/problem+json': { schema: reference('Problem') },
  };
  const ways: Readonly<Record<string, object>> = {
    registry: { 'application/json': { schema: reference('RegistryErrors') } },
    pages: { 'text/html; charset=utf-8': {} },
  };
  return { description: 'an error with a stable code', content: ways[tag] ?? others };
}

const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
