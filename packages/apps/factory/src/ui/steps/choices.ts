import { html, type Html } from '../html.ts';

/** Something to choose, which a link does. */
export type Choice = { readonly name: string; readonly hint: string; readonly address: string };

/** A list of links. */
export function choices(all: readonly Choice[]): Html {
  return html`<ul class="choices">
    ${all.map(
      ({ name, hint, address }) =>
        html`<li>
          <a href="${address}"
            ><strong>${name}</strong>${hint !== '' && html` <span class="hint">${hint}</span>`}</a
          >
        </li>`,
    )}
  </ul>`;
}
