import type { Html } from '../html.ts';
import { systems } from '../systems.ts';
import { addressWith, type WizardView } from '../wizard-view.ts';
import { choices } from './choices.ts';

/** The platforms of a target. */
export function platformStep(view: WizardView): Html {
  return choices(
    systems
      .filter(({ target }) => target === view.state.target)
      .map((system) => ({
        name: system.name,
        hint: system.architectures.join(', '),
        address: addressWith(view, { system, architecture: undefined }),
      })),
  );
}
