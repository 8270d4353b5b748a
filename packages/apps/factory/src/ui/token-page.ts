import type { TokenRecord } from '../tokens/token-records.ts';
import { html, type Html } from './html.ts';
import type { Texts } from './texts.ts';

/** The stored tokens of who asks, and what came of a form. */
export type TokenView = {
  readonly texts: Texts;
  /** Undefined where who asks may not list them. */
  readonly records: readonly TokenRecord[] | undefined;
  /** A token that was issued just now. */
  readonly issued?: string;
  readonly refusal?: string;
  /** What was sent in the form. */
  readonly form?: URLSearchParams;
};

const profiles = [
  ['node', 'profileNode'],
  ['automation', 'profileAutomation'],
  ['operator', 'profileOperator'],
  ['admin', 'profileAdmin'],
] as const;

export function tokenContent(view: TokenView): Html {
  const { texts, issued, refusal, form } = view;
  return html`${
      issued !== undefined &&
      html`<section class="notice" role="status" aria-labelledby="issued">
        <h2 id="issued">${texts.tokenIssued}</h2>
        <p>${texts.tokenOnce}</p>
        <p class="copied">
          <code>${issued}</code>
          <button type="button" hidden data-copy="${issued}" data-copied="${texts.copied}">
            ${texts.copy}
          </button>
        </p>
      </section>`
    }
    ${refusal !== undefined && html`<p class="notice" role="alert">${texts.refused} ${refusal}</p>`}
    ${list(view)}
    <h2>${texts.tokenNew}</h2>
    <form method="post" action="/ui/tokens">
      <input type="hidden" name="lang" value="${texts.language}" />
      <p>
        <label for="name">${texts.tokenName}</label>
        <input
          id="name"
          name="name"
          required
          maxlength="128"
          autocomplete="off"
          value="${form?.get('name') ?? ''}"
        />
      </p>
      <fieldset>
        <legend>${texts.tokenProfile}</legend>
        ${profiles.map(
          ([actor, words]) =>
            html`<p>
              <label
                ><input
                  type="radio"
                  name="actor"
                  value="${actor}"
                  required${form?.get('actor') === actor && html` checked`}
                />
                ${texts[words]}</label
              >
            </p>`,
        )}
      </fieldset>
      <p>
        <label for="ttl">${texts.tokenTtl}</label>
        <input
          id="ttl"
          name="ttl"
          maxlength="32"
          autocomplete="off"
          aria-describedby="ttl-hint"
          value="${form?.get('ttl') ?? ''}"
        />
        <span class="hint" id="ttl-hint">${texts.tokenTtlHint}</span>
      </p>
      <p><button>${texts.tokenIssue}</button></p>
    </form>`;
}

function list({ texts, records }: TokenView): Html | undefined {
  if (records === undefined) return undefined;
  if (records.length === 0) return html`<p>${texts.tokensNone}</p>`;
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${texts.tokenName}</th>
        <th scope="col">${texts.tokenScopes}</th>
        <th scope="col">${texts.tokenCreated}</th>
        <th scope="col">${texts.tokenExpires}</th>
        <th scope="col">${texts.tokenUsed}</th>
        <th scope="col">${texts.revoke}</th>
      </tr>
    </thead>
    <tbody>
      ${records.map(
        ({ id, name, scopes, createdAt, expiresAt, lastUsedOn }) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td>${scopes.join(' ')}</td>
            <td>${dayOf(createdAt)}</td>
            <td>${dayOf(expiresAt)}</td>
            <td>${lastUsedOn ?? texts.never}</td>
            <td>
              <form method="post" action="/ui/tokens/${id}/revoke">
                <input type="hidden" name="lang" value="${texts.language}" />
                <button aria-label="${texts.revoke}: ${name}">${texts.revoke}</button>
              </form>
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function dayOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 10);
}
