import { officialExtensions } from '../../http/official-extensions.ts';
import { html, type Html } from '../html.ts';
import { addressWith, hidden, type WizardView } from '../wizard-view.ts';

/** The extensions of the release, found by words. */
export function extensionsStep(view: WizardView): Html {
  const { texts, state, search = '' } = view;
  const all = state.release === undefined ? [] : officialExtensions(state.release);
  if (all.length === 0)
    return html`<p>${texts.extensionsNone}</p>
      <p><a class="button" href="${addressWith(view, { extensions: [] })}">${texts.next}</a></p>`;
  const chosen = state.extensions ?? [];
  const words = search.toLowerCase().split(/\s+/);
  const found = all.filter(({ name, description }) =>
    words.every((word) => `${name} ${description}`.toLowerCase().includes(word)),
  );
  const isListed = (name: string): boolean => found.some((one) => one.name === name);
  return html`<form method="get" action="/">
    ${hidden(view, ['extensions'])}
    <input type="hidden" name="extensions" value="" />
    ${chosen.filter((name) => !isListed(name)).map((name) => html`<input type="hidden" name="extensions" value="${name}" />`)}
    <p role="search">
      <label for="search">${texts.searchLabel}</label>
      <input id="search" type="search" name="search" value="${search}" maxlength="64" autocomplete="off" />
      <button name="step" value="extensions">${texts.search}</button>
    </p>
    <p role="status">${texts.found} <span id="found">${found.length}</span></p>
    <ul class="checks" id="extensions">
      ${found.map(
        ({ name, ref, description }, index) =>
          html`<li>
            <label
              ><input
                type="checkbox"
                name="extensions"
                value="${name}"
                aria-describedby="about-${index}"
                ${chosen.includes(name) && html` checked`}
              />
              ${ref}</label
            >
            <span class="hint" id="about-${index}">${description}</span>
          </li>`,
      )}
    </ul>
    <p><button>${texts.next}</button></p>
  </form>`;
}
