/** Licences by the short names that Debian uses; the others are the same ones, or nobody's. */
const licenses: ReadonlyMap<string, string> = new Map([
  ['apache-2', 'Apache-2.0'],
  ['apache-2.0', 'Apache-2.0'],
  ['bsd-2-clause', 'BSD-2-Clause'],
  ['bsd-3-clause', 'BSD-3-Clause'],
  ['cc0-1.0', 'CC0-1.0'],
  ['expat', 'MIT'],
  ['gpl-1+', 'GPL-1.0-or-later'],
  ['gpl-2', 'GPL-2.0-only'],
  ['gpl-2+', 'GPL-2.0-or-later'],
  ['gpl-3', 'GPL-3.0-only'],
  ['gpl-3+', 'GPL-3.0-or-later'],
  ['isc', 'ISC'],
  ['lgpl-2', 'LGPL-2.0-only'],
  ['lgpl-2+', 'LGPL-2.0-or-later'],
  ['lgpl-2.1', 'LGPL-2.1-only'],
  ['lgpl-2.1+', 'LGPL-2.1-or-later'],
  ['lgpl-3', 'LGPL-3.0-only'],
  ['lgpl-3+', 'LGPL-3.0-or-later'],
  ['mit', 'MIT'],
  ['mpl-2.0', 'MPL-2.0'],
  ['zlib', 'Zlib'],
]);

/**
 * The licence that a package of Debian has as a whole, as an SPDX expression, from its `/usr/share/doc/NAME/copyright` where programs can
 * read that (DEP 5): what stands for `Files: *`. Single files may have others.
 *
 * @returns undefined for a text in another form, and for a licence that is not known here by its name.
 */
export function licenseOfCopyright(text: string): string | undefined {
  if (!/^Format:\s*https?:\/\/\S*copyright-format\/1\.0\/?\s*$/m.test(text)) return undefined;
  const whole = text.split(/\n\s*\n/).find((paragraph) => /^Files:\s*\*\s*$/m.test(paragraph));
  const said = whole && /^License:[ \t]*(?<name>\S.*)$/m.exec(whole)?.groups?.['name'];
  if (!said) return undefined;
  const words = said.trim().split(/\s+(and|or)\s+/);
  const joins = new Set(words.filter((_, index) => index % 2 === 1));
  const names = words.filter((_, index) => index % 2 === 0).map((word) => licenses.get(word.toLowerCase()));
  // What binds first is said by commas and exceptions, of which there are too many forms.
  if (joins.size > 1 || names.includes(undefined)) return undefined;
  return names.join(joins.has('and') ? ' AND ' : ' OR ');
}
