import { bootloaders, enrollments } from '@nodecore/schematic';
import { parseVersion } from '@nodecore/schematic/release';

import type { Factory } from '../factory.ts';
import { officialExtensions } from '../http/official-extensions.ts';
import { html, type Html } from './html.ts';
import {
  addressOf,
  architecturesOf,
  fieldsOf,
  hasSecureBoot,
  offeredTargets,
  type State,
  type Step,
  steps,
} from './state.ts';
import { systems } from './systems.ts';
import type { Texts } from './texts.ts';

/** A page of the wizard, and what is on it. */
export type WizardView = {
  readonly texts: Texts;
  readonly factory: Factory;
  readonly state: State;
  readonly step: Step;
  /** What extensions are searched for. */
  readonly search?: string;
  /** Why what was sent is refused. */
  readonly refusal?: string;
  /** What was sent with it, which stands in no address. */
  readonly embedded?: string;
};

/** The address of a page of the wizard. */
export function wizardAddress(state: State, language: string, step?: Step): string {
  const asked = step === undefined ? [] : [['step', step] as const];
  return addressOf('/', [...fieldsOf(state), ...asked, ['lang', language]]);
}

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
  target: (view) => {
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
  },
  version: (view) => {
    const { texts, factory } = view;
    const { latest, offered } = factory.releases;
    if (offered.length === 0) return html`<p>${texts.noVersions}</p>`;
    const hintOf = (version: string): string => {
      if (version === latest) return texts.newest;
      return parseVersion(version).pre.length > 0 ? texts.preRelease : '';
    };
    return choices(
      offered.toReversed().map((version) => ({
        name: version,
        hint: hintOf(version),
        address: addressWith(view, { release: factory.releases.get(version), extensions: undefined }),
      })),
    );
  },
  platform: (view) =>
    choices(
      systems
        .filter(({ target }) => target === view.state.target)
        .map((system) => ({
          name: system.name,
          hint: system.architectures.join(', '),
          address: addressWith(view, { system, architecture: undefined }),
        })),
    ),
  machine: (view) => {
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
                ><input
                  type="radio"
                  name="arch"
                  value="${name}"
                  required${name === chosen && html` checked`}
                />
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
  },
  extensions: (view) => {
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
  },
  customization: (view) => {
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
  },
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

type Choice = { readonly name: string; readonly hint: string; readonly address: string };

function choices(all: readonly Choice[]): Html {
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

function addressWith(
  { state, texts }: WizardView,
  changes: { readonly [Name in keyof State]?: State[Name] | undefined },
): string {
  return wizardAddress({ ...state, ...changes } as State, texts.language);
}

/** The state, without what the form itself asks for. */
function hidden({ state, texts }: WizardView, without: readonly string[]): Html {
  const fields = [
    ...fieldsOf(state).filter(([name]) => !without.includes(name)),
    ['lang', texts.language] as const,
  ];
  return html`${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`;
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
