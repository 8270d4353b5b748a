import { parseVersion } from '@nodecore/schematic/release';

import { html, type Html } from '../html.ts';
import { addressWith, type WizardView } from '../wizard-view.ts';
import { choices } from './choices.ts';

/** The releases that are offered, the newest first. */
export function versionStep(view: WizardView): Html {
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
}
