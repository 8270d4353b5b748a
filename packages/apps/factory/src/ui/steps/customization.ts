import { bootloaders, enrollments } from '@nodecore/schematic';

import { html, type Html } from '../html.ts';
import { hidden, type WizardView } from '../wizard-view.ts';

/** What is different: the one form that creates something. */
export function customizationStep(view: WizardView): Html {
  const { texts, state, embedded = '', refusal } = view;
  return html`${refusal !== undefined && html`<p class="notice" role="alert">${texts.refused} ${refusal}</p>`}
    <form method="post" action="/ui/wizard">
      ${hidden(view, ['cmdline', 'meta', 'bootloader', 'enroll-keys'])}
      ${area('cmdline', texts.cmdline, texts.cmdlineHint, state.cmdline, 3)}
      ${area('meta', texts.meta, texts.metaHint, state.meta, 3)}
      ${area('embedded-config', texts.embedded, texts.embeddedHint, embedded, 10)}
      <p>
        <label for="bootloader">${texts.bootloader}</label>
        <select id="bootloader" name="bootloader">
          ${option('', texts.bootloaderAuto, state.bootloader)}${bootloaders.map((name) => option(name, name, state.bootloader))}
        </select>
      </p>
      ${
        state.isSecureBoot &&
        html`<p>
          <label for="enroll-keys">${texts.enrollment}</label>
          <select id="enroll-keys" name="enroll-keys">
            ${option('', texts.enrollmentAuto, state.enrollment)}${enrollments.map((name) => option(name, name, state.enrollment))}
          </select>
        </p>`
      }
      <p><button>${texts.create}</button></p>
    </form>`;
}

function area(name: string, label: string, hint: string, value: string, rows: number): Html {
  // A browser drops the first line end in it.
  return html`<p>
    <label for="${name}">${label}</label>
    <span class="hint" id="${name}-hint">${hint}</span>
    <textarea
      id="${name}"
      name="${name}"
      rows="${rows}"
      spellcheck="false"
      autocomplete="off"
      aria-describedby="${name}-hint"
    >
${value}</textarea>
  </p>`;
}

function option(value: string, label: string, chosen: string): Html {
  return html`<option value="${value}" ${value === chosen && html` selected`}>${label}</option>`;
}
