import { parseRelease } from './parse.ts';
import type { Release, ReleaseExtension } from './release.ts';

/**
 * The text of `release.json`: keys in one order, indent 2, a newline at the end. The same release is always the same text.
 *
 * @throws {ReleaseError} with `ERR_RELEASE_INVALID` when {@link parseRelease} would not read it.
 */
export function formatRelease(release: Release): string {
  const { layout, version, channel, created, minimumVersion } = release;
  const text = `${JSON.stringify(
    {
      layout,
      version,
      channel,
      created,
      minimumVersion,
      architectures: sorted(release.architectures, ({ kernelVersion, extensions }) => ({
        kernelVersion,
        ...(extensions && { extensions: sorted(extensions, factsOf) }),
      })),
      files: sorted(release.files, ({ size, sha256 }) => ({ size, sha256 })),
    },
    undefined,
    2,
  )}\n`;
  parseRelease(text);
  return text;
}

function factsOf({ version, author, description, extraInfo, aliases = [] }: ReleaseExtension): unknown {
  return { version, author, description, extraInfo, ...(aliases.length > 0 && { aliases }) };
}

function sorted<V>(
  values: Readonly<Record<string, V>>,
  shape: (value: V) => unknown,
): Record<string, unknown> {
  const names = Object.keys(values).sort((a, b) => (a < b ? -1 : 1));
  return Object.fromEntries(names.map((name) => [name, shape(values[name] as V)]));
}
