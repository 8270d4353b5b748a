import { type Configuration } from './configuration.ts';
import { type Effect } from './document.ts';
import { descriptionOf } from './kind/kinds.ts';

/** A document that is new, changed or gone, and what it takes to come into force. */
export type ChangedDocument = { readonly identity: string; readonly effect: Effect };

/** Which documents differ, in the order of the later configuration, then those that are gone. */
export function changedDocuments(
  before: Configuration | undefined,
  after: Configuration,
): readonly ChangedDocument[] {
  const [former, latter] = [before === undefined ? new Map<string, string>() : texts(before), texts(after)];
  const names = [...latter.keys(), ...[...former.keys()].filter((name) => !latter.has(name))];
  return names
    .filter((name) => former.get(name) !== latter.get(name))
    .map((identity) => {
      const kind = identity.split('/')[0] ?? '';
      return { identity, effect: descriptionOf(kind)?.options.takesEffect ?? 'live' };
    });
}

/** The text of each document, by its identity, without what separates it from the next. */
function texts({ text, documents }: Configuration): Map<string, string> {
  const lines = text.split('\n');
  return new Map(
    documents.map(({ identity, line }, index) => {
      const end = documents[index + 1]?.line ?? lines.length + 1;
      const own = lines.slice(line - 1, end - 1).filter((each) => !/^(?:---.*|\s*(?:#.*)?)$/u.test(each));
      return [identity, own.map((each) => each.trimEnd()).join('\n')];
    }),
  );
}
