import type { IncomingMessage } from 'node:http';

import { FactoryError } from '../errors.ts';
import { Cookies } from '../oidc/cookies.ts';
import type { Identity } from '../oidc/identity.ts';
import { type Login, loginSeconds } from '../oidc/login.ts';
import type { Oidc } from '../oidc/oidc.ts';
import type { Pages } from '../ui/pages.ts';
import type { Answer } from './answer.ts';

/** Logging in and out by a browser, at an issuer. */
export class LoginAnswers {
  readonly #oidc: Oidc | undefined;
  readonly #pages: Pages;
  readonly #cookies: Cookies;

  constructor(oidc: Oidc | undefined, pages: Pages, cookies: Cookies) {
    this.#oidc = oidc;
    this.#pages = pages;
    this.#cookies = cookies;
  }

  /** Leads to the issuer. */
  async begin(incoming: IncomingMessage): Promise<Answer> {
    const { login } = this.#known();
    const query = queryOf(incoming);
    const language = query.get('lang');
    const home = language === null ? '/' : `/?lang=${encodeURIComponent(language.slice(0, 8))}`;
    const { location, kept } = await login.begin(ownPath(query.get('to')) ?? home);
    return leadTo(location, this.#cookies.login(kept, loginSeconds));
  }

  /** Where the issuer leads back to. */
  async finish(incoming: IncomingMessage): Promise<Answer> {
    const { login, oidc } = this.#known();
    const { identity, to } = await login.finish(queryOf(incoming), this.#cookies.loginOf(incoming));
    const old = this.#cookies.sessionOf(incoming);
    if (old !== undefined) oidc.sessions.close(old);
    return leadTo(to, this.#cookies.session(oidc.sessions.open(identity)));
  }

  askLogout(incoming: IncomingMessage): Answer {
    this.#known();
    return this.#pages.logout(incoming);
  }

  async logout(incoming: IncomingMessage): Promise<Answer> {
    const { oidc } = this.#known();
    const answer = await this.#pages.loggedOut(incoming);
    const session = this.#cookies.sessionOf(incoming);
    if (session !== undefined) oidc.sessions.close(session);
    return { ...answer, headers: { ...answer.headers, 'set-cookie': this.#cookies.noSession } };
  }

  /** Leads who looks at a page to the login, and back to it; undefined where there is none, and for its own pages. */
  lead({ method, url = '' }: IncomingMessage, error: unknown): Answer | undefined {
    const isUnknown = error instanceof FactoryError && error.code === 'ERR_FACTORY_CREDENTIAL';
    const isRead = method === 'GET' || method === 'HEAD';
    // What the login itself refuses would lead to the next one, for ever.
    const to = ownPath(url);
    if (this.#oidc?.login === undefined || !isUnknown || !isRead || to === undefined) return undefined;
    return leadTo(`/login?to=${encodeURIComponent(to)}`);
  }

  /** Who is logged in; undefined for nobody. */
  identityOf(incoming: IncomingMessage): Identity | undefined {
    const session = this.#cookies.sessionOf(incoming);
    return session === undefined ? undefined : this.#oidc?.sessions.of(session);
  }

  #known(): { readonly oidc: Oidc; readonly login: Login } {
    if (this.#oidc?.login !== undefined) return { oidc: this.#oidc, login: this.#oidc.login };
    throw new FactoryError(
      'ERR_FACTORY_PATH',
      'nobody logs in here: authentication.oidc.clientId says by which client of an issuer',
    );
  }
}

/** A page of this factory. What a link has there could lead anywhere. */
function ownPath(to: string | null): string | undefined {
  const isOwn = to !== null && to.length <= 2_048 && /^\/(?:\?|ui\/|$)[!-[\]-~]*$/.test(to);
  return isOwn ? to : undefined;
}

function leadTo(location: string, cookie?: string): Answer {
  return {
    status: 303,
    headers: {
      location,
      'cache-control': 'no-store',
      'content-length': '0',
      'referrer-policy': 'no-referrer',
      ...(cookie !== undefined && { 'set-cookie': cookie }),
    },
  };
}

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  return new URLSearchParams(url.split('?', 2)[1] ?? '');
}
