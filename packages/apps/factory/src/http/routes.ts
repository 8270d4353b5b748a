import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { answerRegistry, isRegistryPath } from '@nodecore/oci';
import { limits } from '@nodecore/schematic';
import { decodeText } from '@nodecore/sys';
import { type Context, Hono } from 'hono';

import { contentTypes, parseAsset } from '../assets/asset.ts';
import { FactoryError } from '../errors.ts';
import type { Factory } from '../factory.ts';
import { Once } from '../once.ts';
import { type Answer, jsonAnswer, send, textAnswer } from './answer.ts';
import { downloadName, imageAnswer } from './image-answer.ts';
import { installerRegistry } from './installer-registry.ts';
import { officialExtensions } from './official-extensions.ts';
import { problemAnswer } from './problem.ts';

type Bindings = { readonly Bindings: HttpBindings };
type Request = Context<Bindings>;

export type RoutesOptions = {
  readonly factory: Factory;
  /** What was not loaded, one line each. */
  readonly refused: readonly string[];
  /** PEM of the certificate that signs images for Secure Boot. */
  readonly signingCertificate: string | undefined;
  /** How long a client may take nothing. */
  readonly stallMs: number;
};

/** All routes of a factory. */
export function routes(options: RoutesOptions): Hono<Bindings> {
  const { factory, refused, signingCertificate, stallMs } = options;
  const app = new Hono<Bindings>();
  const registry = installerRegistry(factory);
  const checksums = new Once<string>(1024);

  /** Sends what a handler gives, or its error, and nothing else: bodies never go through the router. */
  const answered =
    (handler: (request: Request) => Promise<Answer> | Answer) =>
    async (request: Request): Promise<Response> => {
      const { incoming, outgoing } = request.env;
      const answer = await Promise.resolve(request)
        .then(handler)
        .catch((error: unknown) => problemAnswer(error, incoming.headers.accept));
      if (answer.status === 500) console.error('nodecore-factory: a defect at', request.req.routePath);
      if (outgoing.destroyed) return RESPONSE_ALREADY_SENT;
      const common = { ...commonHeaders(incoming), ...(answer.status >= 500 ? { connection: 'close' } : {}) };
      await send(
        { ...answer, headers: { ...common, ...answer.headers } },
        incoming.method ?? '',
        outgoing,
        stallMs,
      );
      return RESPONSE_ALREADY_SENT;
    };

  app.get(
    '/healthz',
    answered(() => textAnswer(200, 'ok\n')),
  );
  app.get(
    '/readyz',
    answered(() => {
      const isReady = factory.releases.versions.length > 0;
      return textAnswer(
        isReady ? 200 : 503,
        `${[isReady ? 'ready' : 'not ready: no release is loaded', ...refused].join('\n')}\n`,
      );
    }),
  );
  app.post(
    '/schematics',
    answered(async ({ env }) => jsonAnswer(201, factory.submit(await bodyOf(env.incoming)))),
  );
  app.get(
    '/schematics/:id',
    answered(({ req }) =>
      textAnswer(200, factory.schematic(req.param('id') ?? '').text, { 'content-type': 'application/yaml' }),
    ),
  );
  app.get(
    '/image/:schematic/:version/:path',
    answered(async ({ req }) => {
      const {
        schematic: id,
        version,
        path,
      } = req.param() as Record<'schematic' | 'version' | 'path', string>;
      const { asset, fileName, checksum } = parseAsset(path);
      const schematic = factory.schematic(id);
      const release = factory.releases.get(version);
      const view = await factory.images.view(release, schematic, asset);
      const etag = factory.images.recipe(release, schematic, asset);
      if (checksum !== undefined) {
        const hex = await checksums.get(`${checksum} ${etag}`, async () =>
          (await view.digest(checksum)).toString('hex'),
        );
        return textAnswer(200, `${hex}  ${fileName}\n`, { etag: `"${etag}-${checksum}"` });
      }
      return imageAnswer(view, {
        etag,
        contentType: contentTypes[asset.kind],
        fileName: downloadName(req.query('filename'), fileName),
        range: req.header('range'),
        ifRange: req.header('if-range'),
        ifNoneMatch: req.header('if-none-match'),
      });
    }),
  );
  app.get(
    '/pxe/:schematic/:version/:path',
    answered(({ req }) => {
      const { schematic, version, path } = req.param() as Record<'schematic' | 'version' | 'path', string>;
      return textAnswer(200, factory.pxe(schematic, version, path));
    }),
  );
  app.get(
    '/versions',
    answered(() => jsonAnswer(200, factory.releases.offered)),
  );
  app.get(
    '/version/:version/extensions/official',
    answered(({ req }) => {
      return jsonAnswer(200, officialExtensions(factory.releases.get(req.param('version') ?? '')));
    }),
  );
  app.get(
    '/osctl/:version',
    answered(({ req }) => {
      const { version, clients } = factory.releases.get(req.param('version') ?? '');
      return jsonAnswer(
        200,
        clients.map((name) => `${factory.externalUrl}/osctl/${version}/${name}`),
      );
    }),
  );
  app.get(
    '/osctl/:version/:path',
    answered(({ req }) => {
      const { version, path } = req.param() as Record<'version' | 'path', string>;
      const { view, sha256 } = factory.releases.get(version).client(path);
      return imageAnswer(view, {
        etag: sha256,
        contentType: 'application/octet-stream',
        fileName: downloadName(req.query('filename'), path),
        range: req.header('range'),
        ifRange: req.header('if-range'),
        ifNoneMatch: req.header('if-none-match'),
      });
    }),
  );
  app.get(
    '/secureboot/signing-cert.pem',
    answered(() => {
      if (signingCertificate === undefined)
        throw new FactoryError('ERR_FACTORY_PATH', 'this factory has no keys for Secure Boot');
      return textAnswer(200, signingCertificate, { 'content-type': 'application/x-pem-file' });
    }),
  );
  app.all(
    '*',
    answered(async ({ req, env }) => {
      // As it was sent: nothing of a path is decoded before it is looked at.
      const [path = '', query = ''] = (env.incoming.url ?? '').split('?', 2);
      const method = env.incoming.method ?? '';
      if (method === 'OPTIONS')
        return {
          status: 204,
          headers: {
            'access-control-allow-methods': 'GET, HEAD, OPTIONS',
            'access-control-allow-headers': 'Cache-Control, Range',
          },
        };
      if (!isRegistryPath(path)) throw new FactoryError('ERR_FACTORY_PATH', 'nothing is served there');
      return await answerRegistry(
        { method, path, query: new URLSearchParams(query), headers: req.header() },
        registry,
      );
    }),
  );
  return app;
}

function commonHeaders({ headers }: IncomingMessage): Record<string, string> {
  const asked = headers['x-request-id'];
  const isGiven = typeof asked === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(asked);
  return {
    server: 'nodecore-factory',
    'x-request-id': isGiven ? asked : randomUUID(),
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Content-Disposition, Content-Length, Content-Range, Content-Type, ETag',
  };
}

/** @throws {FactoryError} with `ERR_FACTORY_REQUEST`, {@link TextError} for what is no UTF-8. */
async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limits.textBytes)
      throw new FactoryError('ERR_FACTORY_REQUEST', `more than ${limits.textBytes} bytes`);
    chunks.push(chunk);
  }
  return decodeText(Buffer.concat(chunks));
}
