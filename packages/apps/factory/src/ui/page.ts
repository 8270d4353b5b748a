import { type Answer, textAnswer } from '../http/answer.ts';
import { html, type Html } from './html.ts';
import { languages } from './languages.ts';
import type { Texts } from './texts.ts';

/** Nothing is loaded from elsewhere, nothing written into a page runs, and nobody frames it. */
const policy = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ');

/** A page and where it is. */
export type Page = {
  readonly texts: Texts;
  readonly title: string;
  readonly content: Html;
  /** The address of this page in the language that it is asked for in, without one when it has none of its own. */
  readonly inLanguage: (language: string) => string | undefined;
  /** Whether callers are asked who they are, so that there are tokens. */
  readonly isGuarded: boolean;
  /** Whether there is something to log out of. */
  readonly hasLogin: boolean;
};

/** What every page begins and ends with. */
export function pageAnswer(
  status: number,
  page: Page,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return textAnswer(status, `<!doctype html>\n${wholePage(page).toString()}\n`, {
    'cache-control': 'no-store',
    ...headers,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // Forms say where they come from, and no other site hears of an address.
    'referrer-policy': 'same-origin',
  });
}

/** Goes on elsewhere in this factory, by GET. */
export function seeOther(location: string): Answer {
  return { status: 303, headers: { location, 'cache-control': 'no-store', 'content-length': '0' } };
}

function wholePage({ texts, title, content, inLanguage, isGuarded, hasLogin }: Page): Html {
  const at = (path: string): string => `${path}?lang=${texts.language}`;
  const choices = Array.from(languages.values(), ({ language, languageName }) => {
    const address = inLanguage(language);
    if (language === texts.language)
      return html`<li><span aria-current="true" lang="${language}">${languageName}</span></li>`;
    return (
      address !== undefined &&
      html`<li><a href="${address}" lang="${language}" hreflang="${language}">${languageName}</a></li>`
    );
  });
  return html`<html lang="${texts.language}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title} – ${texts.product}</title>
      <link rel="stylesheet" href="/ui/style.css" />
      <link rel="icon" href="/ui/icon.svg" type="image/svg+xml" />
      <script src="/ui/page.js" type="module"></script>
    </head>
    <body>
      <a class="skip" href="#content">${texts.skip}</a>
      <header>
        <p class="product"><a href="${at('/')}">${texts.product}</a></p>
        <nav aria-label="${texts.other}">
          <ul>
            <li><a href="${at('/')}">${texts.pageWizard}</a></li>
            ${isGuarded && html`<li><a href="${at('/ui/tokens')}">${texts.pageTokens}</a></li>`}
            <li><a href="${at('/ui/api')}">${texts.pageApi}</a></li>
            ${hasLogin && html`<li><a href="${at('/logout')}">${texts.logout}</a></li>`}
          </ul>
        </nav>
        <nav aria-label="${texts.languages}">
          <ul>
            ${choices}
          </ul>
        </nav>
      </header>
      <main id="content" tabindex="-1">
        <h1>${title}</h1>
        ${content}
      </main>
    </body>
  </html>`;
}
