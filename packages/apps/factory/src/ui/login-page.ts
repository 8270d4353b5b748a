import { html, type Html } from './html.ts';
import type { Texts } from './texts.ts';

/** Asks before it logs out: an address alone changes nothing. */
export function logoutContent(texts: Texts): Html {
  return html`<form method="post" action="/logout">
    <input type="hidden" name="lang" value="${texts.language}" />
    <p>${texts.logoutHint}</p>
    <p><button>${texts.logout}</button></p>
  </form>`;
}

export function loggedOutContent(texts: Texts): Html {
  return html`<p role="status">${texts.loggedOutHint}</p>
    <p><a href="/login?lang=${texts.language}">${texts.login}</a></p>`;
}
