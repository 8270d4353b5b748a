import type { IncomingMessage } from 'node:http';

/** What a browser keeps for this factory alone: no script reads it, and no other site sends it but by a link. */
export class Cookies {
  readonly #session: string;
  readonly #login: string;
  readonly #attributes: string;

  /** @param isSecure whether the factory is reached by HTTPS. The prefixes keep neighbours of a domain from setting one. */
  constructor(isSecure: boolean) {
    this.#session = `${isSecure ? '__Host-' : ''}factory-session`;
    this.#login = `${isSecure ? '__Host-' : ''}factory-login`;
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  }

  sessionOf(incoming: IncomingMessage): string | undefined {
    return cookieOf(incoming, this.#session);
  }

  loginOf(incoming: IncomingMessage): string | undefined {
    return cookieOf(incoming, this.#login);
  }

  /** A header; it lasts until the browser is closed. */
  session(value: string): string {
    return `${this.#session}=${value}; ${this.#attributes}`;
  }

  /** A header. */
  login(value: string, maxAgeSeconds: number): string {
    return `${this.#login}=${value}; Max-Age=${maxAgeSeconds}; ${this.#attributes}`;
  }

  /** A header that takes the session from the browser. */
  get noSession(): string {
    return `${this.#session}=; Max-Age=0; ${this.#attributes}`;
  }
}

function cookieOf({ headers: { cookie = '' } }: IncomingMessage, name: string): string | undefined {
  const found = cookie
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`));
  // Of two with one name nobody knows which is the factory's own.
  return found.length === 1 ? found[0]?.slice(name.length + 1) : undefined;
}
