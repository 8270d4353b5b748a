import { html, type Html } from '../html.ts';
import { architecturesOf, hasSecureBoot } from '../state.ts';
import { hidden, type WizardView } from '../wizard-view.ts';

/** The processor, and whether images are signed. */
export function machineStep(view: WizardView): Html {
  const { texts, factory, state } = view;
  const [first, ...others] = architecturesOf(state.system, state.release);
  const chosen = state.architecture ?? first;
  return html`<form method="get" action="/">
    ${hidden(view, ['arch', 'secureboot'])}
    <fieldset>
      <legend>${texts.architecture}</legend>
      ${(first === undefined ? [] : [first, ...others]).map(
        (name) =>
          html`<p>
            <label
              ><input type="radio" name="arch" value="${name}" required${name === chosen && html` checked`} />
              ${name}</label
            >
          </p>`,
      )}
    </fieldset>
    ${
      hasSecureBoot(state.system, factory)
        ? html`<p>
            <label
              ><input
                type="checkbox"
                name="secureboot"
                value="true"
                aria-describedby="secureboot-hint"
                ${state.isSecureBoot && html` checked`}
              />
              ${texts.secureBoot}</label
            >
            <span class="hint" id="secureboot-hint">${texts.secureBootHint}</span>
          </p>`
        : !factory.images.hasSecureBoot && html`<p class="hint">${texts.secureBootNone}</p>`
    }
    <p><button>${texts.next}</button></p>
  </form>`;
}
