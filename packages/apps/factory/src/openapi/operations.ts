import type { Schema } from './schemas.ts';

/** What an operation sends when it succeeds. */
type Success = {
  readonly description: string;
  /** Type of the body; without it there is none. */
  readonly type?: string;
  /** Name of its schema; without it the body is text or bytes. */
  readonly schema?: string;
};

/** What a route does, for people and for programs that make clients. Who may ask is not here. */
export type Operation = {
  readonly tag: string;
  readonly summary: string;
  readonly query?: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>>;
  readonly body?: { readonly types: readonly string[]; readonly schema: Schema };
  readonly success: Readonly<Record<number, Success>>;
  /** Statuses of problems, beside those of credentials. */
  readonly problems?: readonly number[];
};

const filename = {
  description: 'name that the download is to have',
  schema: { type: 'string', pattern: '^[A-Za-z0-9._+-]{1,128}$' },
};
export const bytes = 'application/octet-stream';
const plain = 'text/plain; charset=utf-8';
const webPage = 'text/html; charset=utf-8';
/** What answers a request for bytes, or for some of them. */
const download = (description: string): Operation['success'] => ({
  200: { description, type: bytes },
  206: { description: 'the range that was asked for', type: bytes },
  304: { description: 'the client has it already' },
});
const json = (schema: string, description: string): Success => ({
  description,
  type: 'application/json',
  schema,
});

/** What answers a request for a report. */
const report = (type: string): Operation['success'] => ({
  200: { description: 'the report', type },
  304: { description: 'the client has it already' },
});

/** Pages say errors as pages. */
function page(summary: string, problems: readonly number[] = []): Operation {
  return { tag: 'pages', summary, success: { 200: { description: 'a page', type: webPage } }, problems };
}

function leads(summary: string, problems: readonly number[]): Operation {
  return { tag: 'pages', summary, success: { 303: { description: 'where it leads' } }, problems };
}

function form(summary: string, problems: readonly number[]): Operation {
  return {
    tag: 'pages',
    summary,
    body: { types: ['application/x-www-form-urlencoded'], schema: { type: 'object' } },
    success: { 200: { description: 'a page', type: webPage }, 303: { description: 'where it leads' } },
    problems,
  };
}

function file(type: string): Operation {
  const success = { 200: { description: 'a file of pages', type }, 304: { description: 'as it was' } };
  return { tag: 'pages', summary: 'What pages load', success, problems: [412] };
}

/** The routes that are described, by their names. One that is not is in the document with what the route map says of it. */
export const operations: Readonly<Record<string, Operation>> = {
  'GET /healthz': {
    tag: 'service',
    summary: 'Whether the program answers',
    success: { 200: { description: 'it does', type: plain } },
  },
  'GET /readyz': {
    tag: 'service',
    summary: 'Whether a release is loaded; names those that are not, and why',
    success: {
      200: { description: 'ready', type: plain },
      503: { description: 'no release is loaded', type: plain },
    },
  },
  'GET /openapi.json': {
    tag: 'service',
    summary: 'This document',
    success: {
      200: { description: 'OpenAPI 3.1', type: 'application/json' },
      304: { description: 'the client has it already' },
    },
    problems: [412],
  },
  'GET /openapi.yaml': {
    tag: 'service',
    summary: 'This document in YAML',
    success: {
      200: { description: 'OpenAPI 3.1', type: 'application/yaml' },
      304: { description: 'the client has it already' },
    },
    problems: [412],
  },
  'GET /llms.txt': {
    tag: 'service',
    summary: 'What this is, for programs that read text',
    success: { 200: { description: 'text', type: plain } },
  },
  'GET /robots.txt': {
    tag: 'service',
    summary: 'What crawlers are to leave alone',
    success: { 200: { description: 'text', type: plain } },
  },
  'POST /schematics': {
    tag: 'schematics',
    summary: 'Submit a schematic; the same again is answered the same',
    body: { types: ['application/yaml', 'application/json'], schema: { type: 'object' } },
    success: { 201: json('CreatedSchematic', 'it is on the disk') },
    problems: [400, 403, 507],
  },
  'GET /schematics': {
    tag: 'schematics',
    summary: 'The schematics of who asks',
    query: {
      mine: {
        description: 'always: there is no list of all',
        schema: { type: 'string', enum: ['', 'true'] },
      },
      after: {
        description: '`next` of the page before',
        schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      },
      limit: {
        description: 'how many at most',
        schema: { type: 'integer', minimum: 1, maximum: 50, default: 50 },
      },
    },
    success: { 200: json('SchematicList', 'some of them, by ID') },
    problems: [400],
  },
  'GET /schematics/:id': {
    tag: 'schematics',
    summary: 'The canonical text of a schematic',
    success: { 200: { description: 'YAML', type: 'application/yaml' } },
    problems: [404],
  },
  'GET /image/:schematic/:version/:path': {
    tag: 'images',
    summary:
      'An image, or with .sha256 or .sha512 behind its name its checksum, with .sigstore.json its signature',
    query: { filename },
    success: download('the image; of a kernel with Repr-Digest'),
    problems: [400, 404, 412, 416, 503, 507],
  },
  'GET /pxe/:schematic/:version/:path': {
    tag: 'images',
    summary: 'A script by which iPXE starts an image',
    success: { 200: { description: 'the script', type: plain } },
    problems: [400, 404],
  },
  'GET /versions': {
    tag: 'releases',
    summary: 'The releases that are offered, the oldest first',
    query: {
      broken: {
        description: 'true for those that are broken, too',
        schema: { type: 'string', enum: ['true'] },
      },
    },
    success: { 200: json('Versions', 'versions') },
  },
  'GET /version/:version/extensions/official': {
    tag: 'releases',
    summary: 'The extensions of a release',
    success: { 200: json('Extensions', 'extensions by name') },
    problems: [400, 404],
  },
  'GET /spdx/:schematic/:version/:arch': {
    tag: 'reports',
    summary: 'What an image is made of, in SPDX 2.3',
    success: report('application/spdx+json'),
    problems: [400, 404, 412, 503],
  },
  'GET /cyclonedx/:schematic/:version/:arch': {
    tag: 'reports',
    summary: 'What an image is made of, in CycloneDX 1.6',
    success: report('application/vnd.cyclonedx+json'),
    problems: [400, 404, 412, 503],
  },
  'GET /vex/:version/vex.json': {
    tag: 'reports',
    summary: 'What a release says of vulnerabilities, in OpenVEX',
    success: report('application/json'),
    problems: [400, 404, 412, 503],
  },
  'GET /scans/:schematic/:version/:arch/:report': {
    tag: 'reports',
    summary:
      'Known vulnerabilities of an image as NAME.json, NAME.table, NAME.sarif or NAME.cdx; upgrades.json says what each newer release would change',
    success: report('application/json'),
    problems: [400, 404, 412, 503],
  },
  'GET /version/:version/overlays/official': {
    tag: 'releases',
    summary: 'The overlays of a release, of which there are none yet',
    success: { 200: json('Overlays', 'overlays by name') },
    problems: [400, 404],
  },
  'GET /osctl/:version': {
    tag: 'releases',
    summary: 'Where osctl of a release is',
    success: { 200: json('Addresses', 'one address for each system') },
    problems: [400, 404],
  },
  'GET /osctl/:version/:path': {
    tag: 'releases',
    summary: 'osctl for one system',
    query: { filename },
    success: download('one file, with Repr-Digest'),
    problems: [400, 404, 412, 416],
  },
  'GET /secureboot/signing-cert.pem': {
    tag: 'keys',
    summary: 'The certificate that signs images for Secure Boot',
    success: { 200: { description: 'PEM', type: 'application/x-pem-file' } },
    problems: [404],
  },
  'GET /oci/cosign/signing-key.pub': {
    tag: 'keys',
    summary: 'The key that verifies signatures of images and installers',
    success: { 200: { description: 'PEM', type: 'application/x-pem-file' } },
  },
  'GET /.well-known/jwks.json': {
    tag: 'keys',
    summary: 'The keys that verify tokens',
    success: { 200: json('KeySet', 'RFC 7517') },
    problems: [404],
  },
  'POST /tokens': {
    tag: 'tokens',
    summary: 'Issue a token',
    body: { types: ['application/json'], schema: { $ref: '#/components/schemas/TokenRequest' } },
    success: { 200: json('IssuedToken', 'the token, which is told this once') },
    problems: [400, 404, 409, 507],
  },
  'GET /tokens': {
    tag: 'tokens',
    summary: 'The stored tokens of who asks',
    success: { 200: json('TokenList', 'the oldest first') },
    problems: [404],
  },
  'POST /tokens/:id/revoke': {
    tag: 'tokens',
    summary: 'Revoke a stored token of who asks',
    success: { 204: { description: 'it is refused from now on' } },
    problems: [404],
  },
  'GET /': page('The wizard: what is chosen stands in the query'),
  'GET /login': leads('Leads to the issuer that knows who people are', [404]),
  'GET /callback': leads('Where the issuer leads back to', [400, 401, 404]),
  'GET /logout': page('Asks before it ends the login', [404]),
  'POST /logout': form('Ends the login', [403, 404]),
  'GET /ui/schematic': page('A schematic and all that is made of it', [404]),
  'POST /ui/wizard': form('Create a schematic by a form', [400, 403, 507]),
  'GET /ui/tokens': page('The stored tokens of who asks', [404]),
  'POST /ui/tokens': form('Issue a token by a form', [400, 403, 404, 409, 507]),
  'POST /ui/tokens/:id/revoke': form('Revoke a token by a form', [400, 403, 404]),
  'GET /ui/api': page('This document, for people'),
  'GET /ui/style.css': file('text/css; charset=utf-8'),
  'GET /ui/page.js': file('text/javascript; charset=utf-8'),
  'GET /ui/icon.svg': file('image/svg+xml'),
};
