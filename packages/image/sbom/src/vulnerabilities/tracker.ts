import { suiteOf } from '../component.ts';
import type { Field } from '../field.ts';
import type { Advisory } from './advisory.ts';
import { severityOfWord } from './severity.ts';

/**
 * Reads the list of Debian's security tracker (`https://security-tracker.debian.org/tracker/data/json`): source packages, their
 * vulnerabilities, and what is known of each in each suite.
 *
 * @throws {SbomError} with `ERR_SBOM_INVALID` and the field.
 */
export function* readTracker(list: Field): Generator<Advisory> {
  for (const [source, vulnerabilities] of list.entries())
    for (const [id, facts] of vulnerabilities.entries()) {
      const summary = facts.get('description').optionalText() ?? '';
      for (const [suite, state] of facts.get('releases').entries()) {
        const status = state.get('status').oneOf(['open', 'resolved', 'undetermined']);
        const fixed = state.get('fixed_version').optionalText();
        // Version 0 says that the suite never was affected; of what is not determined nothing is said.
        if (status === 'undetermined' || (status === 'resolved' && (fixed === '0' || fixed === undefined)))
          continue;
        yield {
          id,
          aliases: [],
          type: 'deb',
          suite: suiteOf(suite),
          package: source,
          ranges: [{ introduced: '0', ...(status === 'resolved' && fixed !== undefined && { fixed }) }],
          versions: [],
          severity: severityOfWord(state.get('urgency').optionalText()),
          summary,
          url: `https://security-tracker.debian.org/tracker/${id}`,
        };
      }
    }
}
