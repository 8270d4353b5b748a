import { html, type Html } from './html.ts';
import { type Step, steps } from './state.ts';
import { customizationStep } from './steps/customization.ts';
import { extensionsStep } from './steps/extensions.ts';
import { machineStep } from './steps/machine.ts';
import { platformStep } from './steps/platform.ts';
import { targetStep } from './steps/target.ts';
import { versionStep } from './steps/version.ts';
import type { Texts } from './texts.ts';
import { wizardAddress, type WizardView } from './wizard-view.ts';

const titles: Readonly<Record<Step, keyof Texts>> = {
  target: 'targetTitle',
  version: 'versionTitle',
  platform: 'platformTitle',
  machine: 'machineTitle',
  extensions: 'extensionsTitle',
  customization: 'customizationTitle',
};

const stepNames: Readonly<Record<Step, keyof Texts>> = {
  target: 'stepTarget',
  version: 'stepVersion',
  platform: 'stepPlatform',
  machine: 'stepMachine',
  extensions: 'stepExtensions',
  customization: 'stepCustomization',
};

export function wizardTitle({ texts, step }: WizardView): string {
  return texts[titles[step]];
}

export function wizardContent(view: WizardView): Html {
  const { texts, state } = view;
  const { missing } = state;
  return html`${progress(view)}
  ${missing.length > 0 && html`<p class="notice" role="status">${texts.notThere} ${missing.join(', ')}</p>`}
  ${contents[view.step](view)}`;
}

const contents: Readonly<Record<Step, (view: WizardView) => Html>> = {
  target: targetStep,
  version: versionStep,
  platform: platformStep,
  machine: machineStep,
  extensions: extensionsStep,
  customization: customizationStep,
};

/** Earlier steps are links, by which what was chosen since is kept. */
function progress({ texts, state, step }: WizardView): Html {
  const current = steps.indexOf(step);
  const shown = steps.filter((one) => one !== 'platform' || state.target !== 'metal');
  return html`<nav class="steps" aria-label="${texts.steps}">
    <ol>
      ${shown.map((one) => {
        const name = texts[stepNames[one]];
        if (one === step) return html`<li aria-current="step">${name}</li>`;
        if (steps.indexOf(one) > current) return html`<li>${name}</li>`;
        return html`<li><a href="${wizardAddress(state, texts.language, one)}">${name}</a></li>`;
      })}
    </ol>
  </nav>`;
}
