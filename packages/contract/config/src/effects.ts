import { type Configuration } from './configuration.ts';
import { type Effect } from './document.ts';
import { type ChangedField, changedFields, effectOf, worst } from './legacy/effects.ts';
import { readSource, rootIdentity } from './source.ts';

/** A document that is new, changed or gone, and what it takes to come into force. */
export type ChangedDocument = {
  readonly identity: string;
  /** Of the root: the worst of its fields. */
  readonly effect: Effect;
  /** Of the root: what differs. */
  readonly fields?: readonly ChangedField[];
};

/** Which documents differ, in the order of the later configuration, then those that are gone. */
export function changedDocuments(
  before: Configuration | undefined,
  after: Configuration,
): readonly ChangedDocument[] {
  const [former, latter] = [before === undefined ? new Map<string, string>() : texts(before), texts(after)];
  const names = [...latter.keys(), ...[...former.keys()].filter((name) => !latter.has(name))];
  return names
    .filter((name) => former.get(name) !== latter.get(name))
    .flatMap((identity) =>
      identity === rootIdentity
        ? changedRoot(before, after)
        : { identity, effect: effectOf(identity.split('/')[0] ?? '') },
    );
}

/** Each field of the root takes what the document takes that has replaced it. Nothing, where only its layout changed. */
function changedRoot(before: Configuration | undefined, after: Configuration): readonly ChangedDocument[] {
  const [former, latter] = [before, after].map((one) =>
    one === undefined ? [] : readSource(one.text, undefined).documents,
  );
  const fields = changedFields(former ?? [], latter ?? []);
  return fields.length === 0
    ? []
    : [{ identity: rootIdentity, effect: worst(fields.map(({ effect }) => effect)), fields }];
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
