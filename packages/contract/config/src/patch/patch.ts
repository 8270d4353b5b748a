import { readSource } from '../source.ts';
import { checkInstallDisk } from './install-disk.ts';
import { applyOperations } from './json-patch.ts';
import { mergeDocument } from './merge.ts';
import { readPatch } from './read-patch.ts';
import { PatchTarget } from './target.ts';

export type Patch = {
  readonly text: string;
  /** Where it is from, for problems. */
  readonly file?: string;
};

export type PatchOptions = {
  /** Where the configuration is from, for problems. */
  readonly file?: string;
  /** To delete a document, or to remove what is at a path, that is not there is no problem. */
  readonly ignoreMissing?: boolean;
  /** The configuration is for nodes of versions whose root chooses the disk of an installation: then a patch may, too. */
  readonly mayChooseDisk?: boolean;
};

/**
 * Changes a configuration text. A patch is a list of operations (RFC 6902), or documents that are merged with those of the
 * same kind and name: a field that is not in the patch stays as it is, `null` clears one, `$patch: delete` removes a field,
 * an item that has a name (a key of a volume by its slot) or a document, `$patch: replace` puts a mapping, or as the first item
 * a list, in the place of another. How lists are joined is said by the description of their document: most get the items that
 * they do not have yet, some are merged item by item, some are replaced. Documents that are not there are added.
 *
 * Comments and the layout of what does not change stay. Whether the result is valid is for `parse` to say.
 *
 * @returns the text; the very same one when nothing changes.
 * @throws {ConfigError} `ERR_CONFIG_INVALID` when the configuration or a patch can't be read, or a patch does not apply;
 *   nothing of it is applied then. No problem holds a value.
 *
 * @example
 * const text = patchConfiguration(before, [{ text: 'kind: UserVolumeConfig\nname: data\nmount: {secure: false}' }]);
 */
export function patchConfiguration(
  text: string,
  patches: readonly Patch[],
  options: PatchOptions = {},
): string {
  return patches.reduce((current, patch) => patchOnce(current, patch, options), text);
}

function patchOnce(text: string, patch: Patch, options: PatchOptions): string {
  const source = readSource(text, options.file);
  source.problems.throwIfAny();
  const target = new PatchTarget(text, source.documents);
  const { content, problems } = readPatch(patch.text, patch.file ?? '<patch>');
  if (options.mayChooseDisk !== true) checkInstallDisk(content, problems);
  problems.throwIfAny();
  const { ignoreMissing = false } = options;
  if (content.kind === 'operations') applyOperations(target, content.operations, problems, ignoreMissing);
  else for (const document of content.documents) mergeDocument(target, document, problems, ignoreMissing);
  problems.throwIfAny();
  return target.render();
}
