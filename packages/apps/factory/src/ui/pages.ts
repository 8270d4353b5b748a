import type { IncomingMessage } from 'node:http';

import { FactoryError } from '../errors.ts';
import type { Factory, Viewer } from '../factory.ts';
import type { Answer } from '../http/answer.ts';
import { checkOffered } from '../assets/check.ts';
import type { Caller } from '../http/gate.ts';
import { parseAsset } from '../assets/asset.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { readTokenRequest } from '../tokens/token-request.ts';
import { apiContent } from './api-page.ts';
import { refusalOf, schematicText } from './customization-form.ts';
import { readForm } from './form.ts';
import { html } from './html.ts';
import { textsFor } from './languages.ts';
import { loggedOutContent, logoutContent } from './login-page.ts';
import { pageAnswer, seeOther } from './page.ts';
import { schematicContent } from './schematic-page.ts';
import {
  addressOf,
  architecturesOf,
  fieldsOf,
  hasSecureBoot,
  readState,
  stepOf,
  type State,
} from './state.ts';
import { assetsOf, systems } from './systems.ts';
import type { Texts } from './texts.ts';
import { tokenContent, type TokenView } from './token-page.ts';
import { wizardContent, wizardTitle } from './wizard-page.ts';
import { wizardAddress, type WizardView } from './wizard-view.ts';

export type PagesOptions = {
  readonly factory: Factory;
  readonly tokens: Tokens | undefined;
  readonly openApi: OpenApiDocument;
  /** Whether people log in elsewhere, and so out here. */
  readonly hasLogin: boolean;
};

/** The pages for people: made here, whole without a script. GET changes nothing, and what POST makes is said by where it leads. */
export class Pages {
  readonly #factory: Factory;
  readonly #tokens: Tokens | undefined;
  readonly #openApi: OpenApiDocument;
  readonly #hasLogin: boolean;

  constructor({ factory, tokens, openApi, hasLogin }: PagesOptions) {
    this.#factory = factory;
    this.#tokens = tokens;
    this.#openApi = openApi;
    this.#hasLogin = hasLogin;
  }

  /** The page that asks for what is not chosen yet. */
  wizard(incoming: IncomingMessage): Answer {
    const query = queryOf(incoming);
    const texts = textsOf(incoming, query);
    const state = readState(query, this.#factory);
    const step = stepOf(state, query.get('step'));
    const search = (query.get('search') ?? '').slice(0, 64);
    return this.#wizardPage(200, { texts, factory: this.#factory, state, step, search });
  }

  /** Creates a schematic, and leads to its page; a refused one comes back with all that was typed. */
  async create(incoming: IncomingMessage, viewer: Viewer | undefined): Promise<Answer> {
    const form = await readForm(incoming, this.#factory.externalUrl);
    const texts = textsOf(incoming, form);
    const state = readState(form, this.#factory);
    const step = stepOf(state, null);
    const embedded = form.get('embedded-config') ?? '';
    const view = { texts, factory: this.#factory, state, step, embedded };
    if (step !== 'customization') return this.#wizardPage(400, view);
    try {
      const { id } = await this.#factory.submit(schematicText(state, embedded), viewer, (schematic) =>
        this.#assertOffered(state, schematic),
      );
      const wanted = new Set(['version', 'platform', 'arch', 'secureboot']);
      const fields = fieldsOf(state).filter(([name]) => wanted.has(name));
      return seeOther(
        addressOf('/ui/schematic', [['schematic-id', id], ...fields, ['lang', texts.language]]),
      );
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      return this.#wizardPage(400, { ...view, refusal });
    }
  }

  /** A schematic, and all that is made of it. */
  async schematic(incoming: IncomingMessage, viewer: Viewer | undefined): Promise<Answer> {
    const query = queryOf(incoming);
    const texts = textsOf(incoming, query);
    const factory = this.#factory;
    const schematic = await factory.schematic((query.get('schematic-id') ?? '').trim(), viewer);
    const { offered, latest } = factory.releases;
    const version = offered.find((one) => one === query.get('version')) ?? latest ?? offered.at(-1);
    const release = version === undefined ? undefined : factory.releases.get(version);
    const system = systems.find(({ name }) => name === query.get('platform')) ?? systems[0];
    if (system === undefined) throw new FactoryError('ERR_FACTORY_ASSET', 'no system to make images for');
    const architectures = architecturesOf(system, release);
    const architecture =
      architectures.find((one) => one === query.get('arch')) ?? architectures[0] ?? 'amd64';
    const isSecureBoot = query.get('secureboot') === 'true' && hasSecureBoot(system, factory);
    const [first] = assetsOf(system, architecture, isSecureBoot);
    const refusal = refusalFrom(() => {
      if (release !== undefined && first !== undefined)
        checkOffered(schematic.schematic, parseAsset(first.name).asset, release);
    });
    const view = {
      texts,
      schematic,
      release,
      system,
      architecture,
      isSecureBoot,
      refusal,
      externalUrl: factory.externalUrl,
      externalPxeUrl: factory.externalPxeUrl,
      isGuarded: this.#tokens !== undefined,
      offered: { versions: offered, systems, architectures, hasSecureBoot: hasSecureBoot(system, factory) },
    };
    const fields = [
      ['schematic-id', schematic.id],
      ...(version === undefined ? [] : [['version', version] as const]),
      ['platform', system.name],
      ['arch', architecture],
      ...(isSecureBoot ? [['secureboot', 'true'] as const] : []),
    ] as const;
    return pageAnswer(200, {
      texts,
      title: texts.resultTitle,
      content: schematicContent(view),
      inLanguage: (language) => addressOf('/ui/schematic', [...fields, ['lang', language]]),
      isGuarded: this.#tokens !== undefined,
      hasLogin: this.#hasLogin,
    });
  }

  /** The interface, as its description has it. */
  api(incoming: IncomingMessage): Answer {
    const texts = textsOf(incoming, queryOf(incoming));
    return this.#simple(200, texts, texts.apiTitle, apiContent(texts, this.#openApi), '/ui/api');
  }

  async tokens(incoming: IncomingMessage, caller: Caller | undefined): Promise<Answer> {
    const { tokens, token } = this.#known(caller);
    const texts = textsOf(incoming, queryOf(incoming));
    return this.#tokenPage(200, { texts, records: await tokens.list(token.subject) });
  }

  /** Issues a stored token, and shows it: where it would lead elsewhere, it would be in an address. */
  async issueToken(incoming: IncomingMessage, caller: Caller | undefined): Promise<Answer> {
    const { tokens, token } = this.#known(caller);
    const form = await readForm(incoming, this.#factory.externalUrl);
    const texts = textsOf(incoming, form);
    const listed = async (): Promise<TokenView['records']> =>
      token.scopes.includes('token:read') ? await tokens.list(token.subject) : undefined;
    try {
      const ttl = (form.get('ttl') ?? '').trim();
      const request = {
        name: form.get('name') ?? '',
        actor: form.get('actor') ?? '',
        ...(ttl === '' ? {} : { ttl }),
      };
      const issued = await tokens.issue(token, readTokenRequest(JSON.stringify(request)));
      return this.#tokenPage(200, { texts, records: await listed(), issued: issued.token });
    } catch (error) {
      const isTold = error instanceof FactoryError && error.code.startsWith('ERR_FACTORY_TOKEN_');
      if (!isTold) throw error;
      const status = error.kind === 'invalid' ? 400 : error.kind === 'denied' ? 403 : 409;
      return this.#tokenPage(status, { texts, records: await listed(), refusal: error.message, form });
    }
  }

  async revokeToken(incoming: IncomingMessage, id: string, caller: Caller | undefined): Promise<Answer> {
    const { tokens, token } = this.#known(caller);
    const form = await readForm(incoming, this.#factory.externalUrl);
    await tokens.revoke(token.subject, id);
    return seeOther(`/ui/tokens?lang=${textsOf(incoming, form).language}`);
  }

  logout(incoming: IncomingMessage): Answer {
    const texts = textsOf(incoming, queryOf(incoming));
    return this.#simple(200, texts, texts.logout, logoutContent(texts), '/logout');
  }

  /** What is there when somebody has logged out by the form of {@link logout}. */
  async loggedOut(incoming: IncomingMessage): Promise<Answer> {
    const texts = textsOf(incoming, await readForm(incoming, this.#factory.externalUrl));
    return this.#simple(200, texts, texts.loggedOut, loggedOutContent(texts), '/logout');
  }

  /** An error, for people. */
  refusal(incoming: IncomingMessage, { status, headers, body }: Answer): Answer {
    const texts = textsOf(incoming, queryOf(incoming));
    const words = body instanceof Uint8Array ? Buffer.from(body).toString().trim() : '';
    const content = html`<p class="notice" role="alert">${words}</p>
      <p><a href="/?lang=${texts.language}">${texts.again}</a></p>`;
    const { 'www-authenticate': challenge, 'retry-after': retryAfter } = headers;
    return {
      ...this.#simple(status, texts, texts.errorTitle, content, undefined, {
        ...(challenge && { 'www-authenticate': challenge }),
        ...(retryAfter && { 'retry-after': retryAfter }),
      }),
    };
  }

  #wizardPage(status: number, view: WizardView): Answer {
    const { state, step } = view;
    return pageAnswer(status, {
      texts: view.texts,
      title: wizardTitle(view),
      content: wizardContent(view),
      inLanguage: (language) => wizardAddress(state, language, step),
      isGuarded: this.#tokens !== undefined,
      hasLogin: this.#hasLogin,
    });
  }

  #tokenPage(status: number, view: TokenView): Answer {
    const { texts } = view;
    return this.#simple(status, texts, texts.tokensTitle, tokenContent(view), '/ui/tokens');
  }

  #simple(
    status: number,
    texts: Texts,
    title: string,
    content: ReturnType<typeof html>,
    path: string | undefined,
    headers: Readonly<Record<string, string>> = {},
  ): Answer {
    const inLanguage = (language: string): string | undefined => path && `${path}?lang=${language}`;
    return pageAnswer(
      status,
      { texts, title, content, inLanguage, isGuarded: this.#tokens !== undefined, hasLogin: this.#hasLogin },
      headers,
    );
  }

  /** Nothing is kept that the version which was chosen can't make. */
  #assertOffered(
    { release, system, architecture, isSecureBoot }: State,
    schematic: Parameters<typeof checkOffered>[0],
  ): void {
    if (release === undefined || system === undefined || architecture === undefined) return;
    for (const { name } of assetsOf(system, architecture, isSecureBoot))
      checkOffered(schematic, parseAsset(name).asset, release);
  }

  #known(caller: Caller | undefined): { readonly tokens: Tokens; readonly token: Caller['token'] } {
    if (this.#tokens !== undefined && caller !== undefined)
      return { tokens: this.#tokens, token: caller.token };
    throw new FactoryError(
      'ERR_FACTORY_PATH',
      'this factory has no tokens: authentication.enabled is not true',
    );
  }
}

/** Whether people look at it, in a browser. */
export function isPagePath(path: string): boolean {
  return path === '/' || path.startsWith('/ui/') || /^\/(?:login|callback|logout)$/.test(path);
}

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  return new URLSearchParams(url.split('?', 2)[1] ?? '');
}

function textsOf({ headers }: IncomingMessage, query: URLSearchParams): Texts {
  return textsFor(query.get('lang'), headers['accept-language']);
}

function refusalFrom(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    return refusal;
  }
}
