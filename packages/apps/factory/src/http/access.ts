import { FactoryError } from '../errors.ts';
import { type Scope, scopes } from '../tokens/scopes.ts';

/** Who may ask: everybody, or who has one of the scopes. */
export type Access = 'public' | readonly Scope[];

/** Every route, and who may ask it. HEAD is as GET. There is no other place that decides this. */
export const routeMap: Readonly<Record<string, Access | ((path: string) => Access)>> = {
  'GET /healthz': 'public',
  'GET /readyz': 'public',
  'GET /openapi.json': 'public',
  'GET /openapi.yaml': 'public',
  'GET /llms.txt': 'public',
  'GET /robots.txt': 'public',
  'POST /schematics': ['schematic:create'],
  'GET /schematics': ['schematic:read'],
  'GET /schematics/:id': ['schematic:read'],
  'GET /image/:schematic/:version/:path': ['image:read'],
  'GET /pxe/:schematic/:version/:path': ['image:read'],
  'GET /spdx/:schematic/:version/:arch': ['report:read'],
  'GET /cyclonedx/:schematic/:version/:arch': ['report:read'],
  'GET /vex/:version/vex.json': ['report:read'],
  'GET /scans/:schematic/:version/:arch/:report': ['report:read'],
  'GET /versions': 'public',
  'GET /version/:version/extensions/official': 'public',
  'GET /version/:version/overlays/official': 'public',
  'GET /osctl/:version': 'public',
  'GET /osctl/:version/:path': 'public',
  'GET /secureboot/signing-cert.pem': 'public',
  'GET /oci/cosign/signing-key.pub': 'public',
  'GET /.well-known/jwks.json': 'public',
  'POST /tokens': ['token:issue'],
  'GET /tokens': ['token:read'],
  'POST /tokens/:id/revoke': ['token:revoke'],
  'GET /login': 'public',
  'GET /callback': 'public',
  'GET /logout': 'public',
  'POST /logout': 'public',
  'GET /': scopes,
  'GET /ui/schematic': ['schematic:read'],
  'POST /ui/wizard': ['schematic:create'],
  'GET /ui/tokens': ['token:read'],
  'POST /ui/tokens': ['token:issue'],
  'POST /ui/tokens/:id/revoke': ['token:revoke'],
  'GET /ui/api': 'public',
  'GET /ui/style.css': 'public',
  'GET /ui/page.js': 'public',
  'GET /ui/icon.svg': 'public',
  'ALL *': (path: string) => accessOfOthers(path),
};

/** The registry, whose paths are looked at as they were sent; of everything else it is only said that it is not there. */
function accessOfOthers(path: string): Access {
  if (path === '/v2' || path === '/v2/') return ['image:read', 'source:pull'];
  if (path.startsWith('/v2/os/')) return ['source:pull'];
  return path.startsWith('/v2/') ? ['image:read'] : 'public';
}

/**
 * @param path as it was sent, without the query.
 * @throws {FactoryError} with `ERR_FACTORY_SETUP` for a route that nobody has given an access.
 */
export function accessOf(name: string, path: string): Access {
  const access = Object.hasOwn(routeMap, name) ? routeMap[name] : undefined;
  if (access === undefined)
    throw new FactoryError('ERR_FACTORY_SETUP', `${name}: a route that the route map does not have`);
  return typeof access === 'function' ? access(path) : access;
}

/**
 * A route that nobody has given an access keeps a factory from its start.
 *
 * @throws {FactoryError} with `ERR_FACTORY_SETUP`.
 */
export function assertMapped(routes: readonly { readonly method: string; readonly path: string }[]): void {
  for (const { method, path } of routes) accessOf(`${method} ${path === '/*' ? '*' : path}`, path);
}
