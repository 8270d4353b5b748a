import { html, type Html } from '../html.ts';
import { offeredTargets } from '../state.ts';
import { addressWith, type WizardView } from '../wizard-view.ts';
import { choices } from './choices.ts';

/** Where it will run, or a schematic that there is. */
export function targetStep(view: WizardView): Html {
  const { texts } = view;
  const words = {
    metal: [texts.targetMetal, texts.targetMetalHint],
    cloud: [texts.targetCloud, texts.targetCloudHint],
  } as const;
  return html`${choices(
      offeredTargets().map((target) => ({
        name: words[target][0],
        hint: words[target][1],
        address: addressWith(view, { target, system: undefined }),
      })),
    )}
    <h2>${texts.openTitle}</h2>
    <form method="get" action="/ui/schematic">
      <input type="hidden" name="lang" value="${texts.language}" />
      <p>
        <label for="schematic-id">${texts.openLabel}</label>
        <input
          id="schematic-id"
          name="schematic-id"
          required
          pattern="[0-9a-f]{64}"
          autocomplete="off"
          spellcheck="false"
          aria-describedby="schematic-id-hint"
        />
        <span class="hint" id="schematic-id-hint">${texts.openHint}</span>
      </p>
      <p><button>${texts.open}</button></p>
    </form>`;
}
