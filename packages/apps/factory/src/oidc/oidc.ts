import { type Identity, verifyIdentity } from './identity.ts';
import { Issuer } from './issuer.ts';
import { Login, readClientSecret } from './login.ts';
import type { OidcOptions } from './options.ts';
import { Sessions } from './sessions.ts';

/** Callers as an issuer of OpenID Connect knows them: by its tokens, and by logins in browsers. */
export class Oidc {
  /** Undefined where browsers do not log in. */
  readonly login: Login | undefined;
  readonly sessions: Sessions;
  readonly #issuer: Issuer;
  readonly #options: OidcOptions;
  readonly #now: () => Date;

  /** Asks the issuer nothing yet: a factory starts without it. */
  constructor(options: OidcOptions, externalUrl: string, now: () => Date) {
    const { issuer: name, timeoutMs, client } = options;
    const issuer = new Issuer({ issuer: name, timeoutMs, now });
    this.#issuer = issuer;
    this.#options = options;
    this.#now = now;
    this.sessions = new Sessions(now);
    this.login = client && new Login({ issuer, oidc: { ...options, client }, externalUrl, now });
  }

  /** @throws {FactoryError} with `ERR_FACTORY_SETUP` for a secret that can't be read. */
  static async check({ client }: OidcOptions): Promise<void> {
    if (client?.secretPath !== undefined) await readClientSecret(client.secretPath);
  }

  /** Whether a token says that the issuer has made it. What it says is proven by {@link verify} alone. */
  isFrom(text: string): boolean {
    try {
      const claims: unknown = JSON.parse(Buffer.from(text.split('.', 2)[1] ?? '', 'base64url').toString());
      return (
        typeof claims === 'object' && claims !== null && 'iss' in claims && claims.iss === this.#issuer.issuer
      );
    } catch {
      return false;
    }
  }

  /** @throws {FactoryError} as {@link verifyIdentity}. */
  async verify(text: string): Promise<Identity> {
    return await verifyIdentity(text, this.#issuer, { ...this.#options, now: this.#now() });
  }
}
