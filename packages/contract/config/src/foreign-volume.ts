import { compileVolumeSelector, type Selector, type VolumeEnvironment } from '@nodecore/selector';

import { type Place } from './place.ts';
import { readForeignMount } from './mount.ts';
import { compiled } from './selector-field.ts';
import { type ExistingVolume, type ExternalVolume, type VolumeBlocks } from './types.ts';

/** Reads an `ExistingVolumeConfig`. */
export function readExistingVolume(
  root: Place,
  { trim, scrub }: VolumeBlocks = {},
): ExistingVolume | undefined {
  const name = root.get('name')?.text();
  const selector = readSelector(root);
  if (name === undefined || selector === undefined) return undefined;
  return {
    kind: 'existing',
    name,
    id: `e-${name}`,
    selector,
    mount: readForeignMount(root.get('mount')),
    ...(trim === undefined ? {} : { trim }),
    ...(scrub === undefined ? {} : { scrub }),
  };
}

function readSelector(root: Place): Selector<VolumeEnvironment> | undefined {
  const block = root.get('discovery');
  const match = block?.get('volumeSelector')?.get('match');
  const text = match?.text();
  if (match === undefined || text === '') {
    const at = match ?? block?.get('volumeSelector') ?? block ?? root;
    const message = 'a volume selector is required: discovery.volumeSelector.match';
    at.problem('volume_selector.required', message);
    return undefined;
  }
  if (text === undefined) return undefined; // reported as a wrong type
  return compiled(match, 'volume_selector.invalid', () => compileVolumeSelector(text));
}

/** virtiofs(5) in QEMU and in the kernel's virtio_fs_config: 36 bytes, filled up with zeros. */
const longestTag = 36;

/** Reads an `ExternalVolumeConfig`. */
export function readExternalVolume(root: Place, { trim }: VolumeBlocks = {}): ExternalVolume | undefined {
  const name = root.get('name')?.text();
  const mount = root.get('mount');
  const tag = readTag(root, mount);
  root
    .get('trim')
    ?.warning('trim.external', 'nothing is trimmed here: the host decides what becomes of its blocks');
  if (name === undefined || tag === undefined) return undefined;
  return {
    kind: 'external',
    name,
    id: `x-${name}`,
    filesystemType: 'virtiofs',
    tag,
    mount: readForeignMount(mount),
    ...(trim === undefined ? {} : { trim }),
  };
}

function readTag(root: Place, mount: Place | undefined): string | undefined {
  const block = mount?.get('virtiofs');
  const field = block?.get('tag');
  const tag = field?.text();
  if (field === undefined || tag === '') {
    const message = 'the tag under which the host shares the directory is required: mount.virtiofs.tag';
    (field ?? block ?? mount ?? root).problem('virtiofs.tag_required', message);
    return undefined;
  }
  if (tag !== undefined && Buffer.byteLength(tag) > longestTag)
    field.problem('virtiofs.tag_length', `a tag has at most ${longestTag} bytes`);
  if (tag?.includes('\0') === true) field.problem('virtiofs.tag_length', 'a tag ends at a zero byte');
  return tag;
}
