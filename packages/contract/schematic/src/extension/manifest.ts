import { compose } from '../compose.ts';
import { Field } from '../field.ts';
import { isInRange } from './range.ts';

/** `manifest.yaml` of an extension. */
export type ExtensionManifest = {
  readonly metadata: {
    readonly name: string;
    readonly version: string;
    readonly author: string;
    readonly description: string;
    readonly extraInfo: string;
    /** Names that schematics may still call it by, as `os/former`. */
    readonly aliases: readonly string[];
  };
  /** Versions of the node OS that it is for, as `>= v1.14.0`; empty for all. */
  readonly range: string;
};

const known = 'v1alpha1';
const maxAliases = 16;

/**
 * Reads the manifest of an extension.
 *
 * @throws {SchematicError} with line, column and field of the first thing that is refused.
 */
export function parseExtensionManifest(text: string): ExtensionManifest {
  const { document, positionOf } = compose(text);
  const root = new Field(document.contents, '', 0, positionOf);
  const { version, metadata } = root.fields(['version', 'metadata']);
  if (version?.text() !== known) (version ?? root).wrong(`version must be ${known}`);
  const { name, compatibility, aliases, ...texts } = (metadata ?? root.wrong('needs metadata')).fields([
    'name',
    'version',
    'author',
    'description',
    'compatibility',
    'extraInfo',
    'aliases',
  ]);
  const { os } = compatibility?.fields(['os']) ?? {};
  const range = os?.fields(['version']).version;
  if (range !== undefined && range.text() !== '' && isInRange('v1.0.0', range.text()) === undefined)
    range.wrong('must be a range of versions as >= v1.14.0');
  if (name === undefined || !/^[A-Za-z0-9][\w.-]{0,63}$/.test(name.text()))
    return (name ?? metadata ?? root).wrong('needs a name');
  return {
    metadata: {
      name: name.text(),
      version: texts.version?.text() ?? '',
      author: texts.author?.text() ?? '',
      description: texts.description?.text() ?? '',
      extraInfo: texts.extraInfo?.text() ?? '',
      aliases: aliases?.items(maxAliases).map((each) => each.text()) ?? [],
    },
    range: range?.text() ?? '',
  };
}
