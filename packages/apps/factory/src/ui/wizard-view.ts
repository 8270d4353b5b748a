import type { Factory } from '../factory.ts';
import { html, type Html } from './html.ts';
import { addressOf, fieldsOf, type State, type Step } from './state.ts';
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

/** The address of the next page when this is chosen. */
export function addressWith(
  { state, texts }: WizardView,
  changes: { readonly [Name in keyof State]?: State[Name] | undefined },
): string {
  return wizardAddress({ ...state, ...changes } as State, texts.language);
}

/** The state, without what the form itself asks for. */
export function hidden({ state, texts }: WizardView, without: readonly string[]): Html {
  const fields = [
    ...fieldsOf(state).filter(([name]) => !without.includes(name)),
    ['lang', texts.language] as const,
  ];
  return html`${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`;
}
