import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { answerRegistry, isRegistryPath } from '@nodecore/oci';
import { limits } from '@nodecore/schematic';
import { releaseVersion } from '@nodecore/sys/pure';
import { type Context, Hono } from 'hono';

import type { InstallerEvidence } from '../assets/evidence.ts';
import type { Proofs } from '../assets/proofs.ts';
import { clientOf, forClient } from '../client.ts';
import { FactoryError } from '../errors.ts';
import type { Factory, Viewer } from '../factory.ts';
import type { FactoryMetrics } from '../metrics/metrics.ts';
import { Cookies } from '../oidc/cookies.ts';
import type { Oidc } from '../oidc/oidc.ts';
import { openApiDocument } from '../openapi/document.ts';
import type { Htpasswd } from '../passwords/htpasswd.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { isPagePath, Pages } from '../ui/pages.ts';
import type { Records } from '../records.ts';
import type { ReleaseDirectory } from '../releases/release-directory.ts';
import { accessOf, assertMapped } from './access.ts';
import { AllowedOrigins } from './allowed-origins.ts';
import { type Answer, jsonAnswer, send, textAnswer } from './answer.ts';
import { bodyOf } from './body.ts';
import { commonHeaders } from './common-headers.ts';
import type { Conditions } from './conditions.ts';
import type { Exchanges } from './exchange.ts';
import { type Caller, Gate } from './gate.ts';
import { downloadName, imageAnswer, type ImageConditions } from './image-answer.ts';
import { ImageAnswers } from './image-answers.ts';
import { installerRegistry } from './installer-registry.ts';
import { LoginAnswers } from './login-answers.ts';
import { releaseRegistry } from './release-registry.ts';
import { officialExtensions } from './official-extensions.ts';
import { openApiAnswers } from './openapi-answers.ts';
import { privately, queryOf } from './privately.ts';
import { refusalAnswer } from './refusal.ts';
import type { ReportAnswers, ReportRequest } from './report-answers.ts';
import { staticAnswers, staticFiles } from './static-files.ts';
import { schematicList } from './schematic-list.ts';
import { type Sources, sourceAnswer } from './source-answers.ts';
import { llms, robots } from './texts.ts';
import { TokenAnswers } from './token-answers.ts';

type Bindings = { readonly Bindings: HttpBindings };
type Request = Context<Bindings>;

export type RoutesOptions = {
  readonly factory: Factory;
  /** What is not loaded, one line each. */
  readonly directory: Pick<ReleaseDirectory, 'refused'>;
  readonly records: Pick<Records, 'isAnswering'>;
  /** PEM of the certificate that signs images for Secure Boot. */
  readonly signingCertificate: string | undefined;
  /** How long a client may take nothing. */
  readonly stallMs: number;
  readonly origins?: AllowedOrigins;
  /** By which callers are known; without them everybody may ask for everything. */
  readonly tokens?: Tokens | undefined;
  /** Names and passwords beside tokens. */
  readonly passwords?: Htpasswd | undefined;
  /** In their place: callers as an issuer knows them. */
  readonly oidc?: Oidc | undefined;
  /** Where images are that releases are made of. */
  readonly sources?: Sources | undefined;
  readonly reports: ReportAnswers;
  readonly evidence: InstallerEvidence;
  readonly proofs: Proofs;
  readonly exchanges: Exchanges;
  readonly metrics?: FactoryMetrics | undefined;
};

/** Gives an answer to who was let in; undefined where nobody is asked who they are. */
type Handler = (request: Request, caller: Caller | undefined, gone: AbortSignal) => Promise<Answer> | Answer;

/** All routes of a factory. */
export function routes(options: RoutesOptions): Hono<Bindings> {
  const {
    factory,
    directory,
    origins = new AllowedOrigins(),
    signingCertificate,
    stallMs,
    tokens,
    passwords,
    oidc,
    sources,
    reports,
    evidence,
    proofs,
    exchanges,
    metrics,
  } = options;
  const app = new Hono<Bindings>();
  const gate = new Gate({ externalUrl: factory.externalUrl, tokens, passwords, oidc });
  const tokenAnswers = new TokenAnswers(tokens);
  const document = openApiDocument({
    version: releaseVersion,
    externalUrl: factory.externalUrl,
    isGuarded: tokens !== undefined,
  });
  const pages = new Pages({ factory, tokens, openApi: document, hasLogin: oidc?.login !== undefined });
  const logins = new LoginAnswers(oidc, pages, new Cookies(factory.externalUrl.startsWith('https:')));
  const images = new ImageAnswers({ factory, proofs, metrics });
  const mirrored = releaseRegistry(factory.releases);

  /**
   * Serves a route to whom the route map lets in: sends what its handler gives, or its error, and nothing else. Bodies never go through
   * the router.
   */
  const on = (name: string, handler: Handler): void => {
    const [method = '', path = ''] = name.split(' ');
    app.on(method, path, async (request) => {
      const { incoming, outgoing } = request.env;
      const [asked = ''] = (incoming.url ?? '').split('?', 1);
      const exchange = exchanges.begin(name, incoming, outgoing);
      // A site can have a browser post; forms of pages say which site it was.
      const isLoginTaken = /^(?:GET|HEAD)$/.test(incoming.method ?? '') || name.startsWith('POST /ui/');
      const answer = await gate
        .admit(incoming, accessOf(name, asked), {
          clientIp: exchange.clientIp,
          session: isLoginTaken ? logins.identityOf(incoming) : undefined,
        })
        .then(async (caller) => {
          exchange.subject = caller?.token.subject ?? '';
          const asking = clientOf({ subject: exchange.subject, address: exchange.clientIp });
          return privately(await forClient(asking, () => handler(request, caller, exchange.gone)), caller);
        })
        .catch((error: unknown) => {
          exchange.failed(error);
          if (isPagePath(asked)) {
            const told = refusalAnswer(error, undefined, oidc?.login === undefined ? 'browser' : 'login');
            return logins.lead(incoming, error) ?? pages.refusal(incoming, told);
          }
          return refusalAnswer(
            error,
            incoming.headers.accept,
            isRegistryPath(asked) ? 'registry' : 'program',
          );
        });
      using _held = answer.held;
      if (outgoing.destroyed) return RESPONSE_ALREADY_SENT; // and what broke off for that is no defect
      if (answer.status === 500)
        console.error(
          `nodecore-factory: a defect at ${request.req.routePath}, request ${exchange.requestId}`,
        );
      await exchange.answered(answer.status);
      if (exchange.gone.aborted) return RESPONSE_ALREADY_SENT;
      const common = {
        ...commonHeaders(exchange.requestId),
        ...origins.headersFor(incoming.headers.origin),
        ...(answer.status >= 500 ? { connection: 'close' } : {}),
      };
      const broken = await send({ ...answer, headers: { ...common, ...answer.headers } }, outgoing, {
        method: incoming.method ?? '',
        stallMs,
        onFirstByte: () => exchange.firstByte(),
      });
      if (broken !== undefined) exchange.failed(broken);
      return RESPONSE_ALREADY_SENT;
    });
  };

  on('GET /healthz', () => textAnswer(200, 'ok\n'));
  on('GET /readyz', async () => {
    const missing = await missingOf(options);
    const first = missing === undefined ? 'ready' : `not ready: ${missing}`;
    return textAnswer(missing === undefined ? 200 : 503, `${[first, ...directory.refused].join('\n')}\n`);
  });
  const openApi = openApiAnswers(document);
  on('GET /openapi.json', ({ req }) => openApi('json', conditionsOf(req)));
  on('GET /openapi.yaml', ({ req }) => openApi('yaml', conditionsOf(req)));
  on('POST /schematics', async ({ env }, caller) =>
    jsonAnswer(201, await factory.submit(await bodyOf(env.incoming, limits.textBytes), viewerOf(caller))),
  );
  on('GET /schematics', ({ req }, caller) => schematicList(factory, req.query(), viewerOf(caller)));
  on('GET /schematics/:id', async ({ req }, caller) =>
    textAnswer(200, (await factory.schematic(req.param('id') ?? '', viewerOf(caller))).text, {
      'content-type': 'application/yaml',
    }),
  );
  on('GET /image/:schematic/:version/:path', ({ req, env }, caller, gone) =>
    images.answer({
      path: req.param() as Record<'schematic' | 'version' | 'path', string>,
      method: env.incoming.method ?? '',
      filename: req.query('filename'),
      viewer: viewerOf(caller),
      gone,
      ...imageConditionsOf(req),
    }),
  );
  on('GET /pxe/:schematic/:version/:path', async ({ req }, caller) => {
    const { schematic, version, path } = req.param() as Record<'schematic' | 'version' | 'path', string>;
    const asked = { viewer: viewerOf(caller), query: await queryOf(caller, tokens) };
    return textAnswer(200, await factory.pxe(schematic, version, path, asked));
  });
  on('GET /spdx/:schematic/:version/:arch', ({ req }, caller) => reports.spdx(reportOf(req, caller)));
  on('GET /cyclonedx/:schematic/:version/:arch', ({ req }, caller) =>
    reports.cycloneDx(reportOf(req, caller)),
  );
  on('GET /vex/:version/vex.json', ({ req }, caller) => reports.vex(reportOf(req, caller)));
  on('GET /scans/:schematic/:version/:arch/:report', ({ req }, caller) =>
    reports.scan(reportOf(req, caller)),
  );
  on('GET /llms.txt', () => textAnswer(200, llms(factory.externalUrl)));
  on('GET /robots.txt', () => textAnswer(200, robots));
  on('GET /versions', ({ req }) => {
    const { offered, offeredWithBroken } = factory.releases;
    return jsonAnswer(200, req.query('broken') === 'true' ? offeredWithBroken : offered);
  });
  on('GET /version/:version/extensions/official', ({ req }) => {
    return jsonAnswer(200, officialExtensions(factory.releases.get(req.param('version') ?? '')));
  });
  on('GET /version/:version/overlays/official', ({ req }) => {
    factory.releases.get(req.param('version') ?? '');
    return jsonAnswer(200, []); // releases have none yet
  });
  on('GET /osctl/:version', ({ req }) => {
    const { version, clients } = factory.releases.get(req.param('version') ?? '');
    return jsonAnswer(
      200,
      clients.map((name) => `${factory.externalUrl}/osctl/${version}/${name}`),
    );
  });
  on('GET /osctl/:version/:path', ({ req }) => {
    const { version, path } = req.param() as Record<'version' | 'path', string>;
    const { view, sha256 } = factory.releases.get(version).client(path);
    return imageAnswer(view, {
      etag: sha256,
      sha256,
      contentType: 'application/octet-stream',
      fileName: downloadName(req.query('filename'), path),
      ...imageConditionsOf(req),
    });
  });
  on('GET /secureboot/signing-cert.pem', () => {
    if (signingCertificate === undefined)
      throw new FactoryError('ERR_FACTORY_PATH', 'this factory has no keys for Secure Boot');
    return textAnswer(200, signingCertificate, { 'content-type': 'application/x-pem-file' });
  });
  on('GET /oci/cosign/signing-key.pub', () =>
    textAnswer(200, proofs.publicKey, { 'content-type': 'application/x-pem-file' }),
  );
  on('GET /.well-known/jwks.json', () => tokenAnswers.keys());
  on('POST /tokens', ({ env }, caller) => tokenAnswers.issue(env.incoming, caller));
  on('GET /tokens', (_request, caller) => tokenAnswers.list(caller));
  on('POST /tokens/:id/revoke', ({ req }, caller) => tokenAnswers.revoke(req.param('id') ?? '', caller));
  on('GET /login', ({ env }) => logins.begin(env.incoming));
  on('GET /callback', ({ env }) => logins.finish(env.incoming));
  on('GET /logout', ({ env }) => logins.askLogout(env.incoming));
  on('POST /logout', ({ env }) => logins.logout(env.incoming));
  on('GET /', ({ env }) => pages.wizard(env.incoming));
  on('POST /ui/wizard', ({ env }, caller) => pages.create(env.incoming, viewerOf(caller)));
  on('GET /ui/schematic', ({ env }, caller) => pages.schematic(env.incoming, viewerOf(caller)));
  on('GET /ui/tokens', ({ env }, caller) => pages.tokens(env.incoming, caller));
  on('POST /ui/tokens', ({ env }, caller) => pages.issueToken(env.incoming, caller));
  on('POST /ui/tokens/:id/revoke', ({ req, env }, caller) =>
    pages.revokeToken(env.incoming, req.param('id') ?? '', caller),
  );
  on('GET /ui/api', ({ env }) => pages.api(env.incoming));
  const files = staticAnswers();
  for (const name of staticFiles) on(`GET /ui/${name}`, ({ req }) => files(name, conditionsOf(req)));
  on('ALL *', async ({ req, env }, caller, gone) => {
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
    if (path === '/node-tokens' || path === '/download-token')
      throw new FactoryError('ERR_FACTORY_PATH', 'is no more: POST /tokens issues tokens of every sort');
    if (!isRegistryPath(path)) throw new FactoryError('ERR_FACTORY_PATH', 'nothing is served there');
    const asked = { method, path, query: new URLSearchParams(query), headers: req.header() };
    if (path.startsWith('/v2/os/release/')) return await answerRegistry(asked, mirrored);
    if (path.startsWith('/v2/os/')) return await sourceAnswer(sources, asked);
    return await answerRegistry(asked, installerRegistry(factory, evidence, viewerOf(caller), gone));
  });
  assertMapped(app.routes);
  return app;
}

/** Why no image could be made now; undefined when one could. */
async function missingOf({ factory, records, reports }: RoutesOptions): Promise<string | undefined> {
  if (factory.releases.versions.length === 0) return 'no release is loaded';
  return (await records.isAnswering()) ? reports.missing : 'the store of schematics does not answer';
}

const reportOf = (req: Request['req'], caller: Caller | undefined): ReportRequest => ({
  path: req.param(),
  viewer: viewerOf(caller),
  ...conditionsOf(req),
});

const imageConditionsOf = (req: Request['req']): ImageConditions => ({
  range: req.header('range'),
  ifRange: req.header('if-range'),
  ...conditionsOf(req),
});

const conditionsOf = (req: Request['req']): Conditions => ({
  ifMatch: req.header('if-match'),
  ifNoneMatch: req.header('if-none-match'),
});

const viewerOf = (caller: Caller | undefined): Viewer | undefined => caller?.token;
