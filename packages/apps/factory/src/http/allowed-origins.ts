/** Whether a text is a site as a browser names it in `Origin`, or `*` for all. */
export function isOrigin(text: string): boolean {
  return text === '*' || (/^https?:/.test(text) && URL.parse(text)?.origin === text);
}

/** Sites whose pages may read answers in a browser. */
export class AllowedOrigins {
  readonly #allowed: ReadonlySet<string>;

  /** @param origins for each of which {@link isOrigin} holds. */
  constructor(origins: readonly string[] = ['*']) {
    this.#allowed = new Set(origins);
  }

  /** @param origin of the page that asks, as its browser says it. */
  headersFor(origin: string | undefined): Readonly<Record<string, string>> {
    if (this.#allowed.has('*')) return { 'access-control-allow-origin': '*' };
    const isAllowed = origin !== undefined && this.#allowed.has(origin);
    // A cache has an answer for each of them.
    return { vary: 'origin', ...(isAllowed && { 'access-control-allow-origin': origin }) };
  }
}
