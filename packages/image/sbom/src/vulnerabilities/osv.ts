import { suiteOf } from '../component.ts';
import type { Field } from '../field.ts';
import type { Advisory, Range } from './advisory.ts';
import { cvssScore, type Severity, severityOfScore, severityOfWord } from './severity.ts';

/**
 * Reads a record of OSV (`https://ossf.github.io/osv-schema`): one advisory for each package of npm or Debian that it names. Records that
 * were withdrawn have none.
 *
 * @throws {SbomError} with `ERR_SBOM_INVALID` and the field.
 */
export function* readOsv(record: Field): Generator<Advisory> {
  if (record.get('withdrawn').isThere) return;
  const id = record.get('id').text();
  const aliases = record.get('aliases').items();
  const common = {
    id,
    aliases: aliases.map((alias) => alias.text()),
    ...severityOf(record),
    summary:
      record.get('summary').optionalText() ?? record.get('details').optionalText()?.slice(0, 500) ?? '',
    url: `https://osv.dev/vulnerability/${id}`,
  };
  for (const affected of record.get('affected').items()) {
    const about = affected.get('package');
    if (!about.isThere) continue;
    const [ecosystem = '', suite = ''] = about.get('ecosystem').text().split(':', 2);
    const type = ecosystem === 'npm' ? 'npm' : ecosystem === 'Debian' ? 'deb' : undefined;
    if (type === undefined) continue;
    const own = severityOf(affected);
    yield {
      ...common,
      ...(own.severity === 'unknown' ? {} : own),
      type,
      suite: suiteOf(suite),
      package: about.get('name').text(),
      ranges: affected.get('ranges').items().flatMap(rangesOf),
      versions: affected
        .get('versions')
        .items()
        .map((version) => version.text()),
    };
  }
}

/** When a record was changed for the last time. */
export function modifiedOf(record: Field): Date {
  const text = record.get('modified').text();
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? record.get('modified').wrong('must be a time') : time;
}

/** Commits are no versions: a range of them says nothing here. */
function rangesOf(range: Field): readonly Range[] {
  if (range.get('type').text() === 'GIT') return [];
  const ranges: Range[] = [];
  let introduced: string | undefined;
  for (const event of range.get('events').items()) {
    const start = event.get('introduced').optionalText();
    const fixed = event.get('fixed').optionalText();
    const last = event.get('last_affected').optionalText();
    if (start !== undefined) {
      if (introduced !== undefined) ranges.push({ introduced });
      introduced = start;
    } else if (introduced !== undefined && (fixed !== undefined || last !== undefined)) {
      ranges.push({ introduced, ...(fixed !== undefined ? { fixed } : { last: last ?? '' }) });
      introduced = undefined;
    }
  }
  if (introduced !== undefined) ranges.push({ introduced });
  return ranges;
}

/** The score of CVSS 3 counts before the word that a list has put on it. */
function severityOf(field: Field): { readonly severity: Severity; readonly score?: number } {
  const vectors = field.get('severity').items();
  const scores = vectors.flatMap((each) => cvssScore(each.get('score').optionalText() ?? '') ?? []);
  if (scores.length > 0) {
    const score = Math.max(...scores);
    return { severity: severityOfScore(score), score };
  }
  const own = field.get('database_specific');
  return { severity: severityOfWord(own.isThere ? own.get('severity').optionalText() : undefined) };
}
