import type { DebianSource } from '../component.ts';

/** A package that dpkg has installed. */
export type DebianPackage = {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly source: DebianSource;
};

/**
 * Reads `/var/lib/dpkg/status`, or what `dpkg-deb --field` prints of one package after another. Packages that are not installed are not
 * in it.
 */
export function readDpkgStatus(text: string): readonly DebianPackage[] {
  return text.split(/\n\s*\n/).flatMap((paragraph) => {
    const fields = fieldsOf(paragraph);
    const [name, version] = [fields.get('package'), fields.get('version')];
    const isInstalled = fields.get('status')?.endsWith(' installed') ?? true;
    if (name === undefined || version === undefined || !isInstalled) return [];
    const architecture = fields.get('architecture') ?? 'all';
    return [{ name, version, architecture, source: sourceOf(name, version, fields.get('source')) }];
  });
}

/** Folded lines are of descriptions and lists of files, which nobody asks for here. */
function fieldsOf(paragraph: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of paragraph.split('\n')) {
    const match = /^(?<name>[^\s:]+):\s*(?<value>.*)$/.exec(line);
    if (match?.groups) fields.set((match.groups['name'] ?? '').toLowerCase(), match.groups['value'] ?? '');
  }
  return fields;
}

/** `glibc (2.36-9)`, `glibc`, or nothing where the package is called as its source. */
function sourceOf(name: string, version: string, field: string | undefined): DebianSource {
  const match = /^(?<source>\S+)(?:\s+\((?<own>[^)]+)\))?/.exec(field ?? '');
  const { source = name, own } = match?.groups ?? {};
  // Of the signed kernel it is the source of what was signed that vulnerabilities are told of; its version is the package's.
  if (source.startsWith('linux-signed-')) return { name: 'linux', version };
  // A build that was done again (+b1) has the source of the first one.
  return { name: source, version: own ?? version.replace(/\+b\d+$/, '') };
}
