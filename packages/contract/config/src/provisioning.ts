import { compileDiskSelector, type DiskEnvironment, type Selector } from '@nodecore/selector';

import { type Place } from './place.ts';
import { compiled } from './selector-field.ts';
import { isNothing, type Size } from './size.ts';
import { readBytes, readSize } from './size-field.ts';
import { type Provisioning } from './types.ts';

export type ProvisioningRules = {
  /** `partition`: selector and a size required. `disk`: selector only. `system`: everything optional. */
  readonly rules: 'partition' | 'disk' | 'system';
  readonly defaults: Provisioning;
  /** What nothing smaller works on, and why. */
  readonly least?: { readonly bytes: bigint; readonly reason: string };
};

/** Reads the `provisioning` block of a volume document; the block itself may be missing. */
export function readProvisioning(volume: Place, options: ProvisioningRules): Provisioning {
  const block = volume.get('provisioning');
  const diskSelector = readSelector(volume, block, options.rules !== 'system');
  const selector = diskSelector === undefined ? {} : { diskSelector };
  if (options.rules === 'disk') {
    for (const field of ['minSize', 'maxSize', 'grow']) {
      block
        ?.get(field)
        ?.problem('size.not_supported', 'a volume that is a whole disk takes no size and no grow');
    }
    return { ...selector, ...readErase(block, diskSelector), grow: true };
  }
  const grow = block?.get('grow')?.boolean() ?? options.defaults.grow;
  return { ...selector, ...readErase(block, diskSelector), ...readSizes(volume, block, options), grow };
}

function readSelector(
  volume: Place,
  block: Place | undefined,
  required: boolean,
): Selector<DiskEnvironment> | undefined {
  const match = block?.get('diskSelector')?.get('match');
  if (match === undefined || match.text() === '') {
    if (!required) return undefined;
    const at = match ?? block?.get('diskSelector') ?? block ?? volume;
    at.problem('disk_selector.required', 'a disk selector is required: provisioning.diskSelector.match');
    return undefined;
  }
  const text = match.text();
  if (text === undefined) return undefined; // reported as a wrong type
  return compiled(match, 'disk_selector.invalid', () => compileDiskSelector(text));
}

/** A consent names each disk: a selector could match one more tomorrow. */
function readErase(
  block: Place | undefined,
  selector: Selector<DiskEnvironment> | undefined,
): Pick<Provisioning, 'erase'> {
  const field = block?.get('erase');
  if (field === undefined || !field.isList()) return {}; // reported as a wrong type
  const items = field.items();
  if (items.length === 0) field.problem('erase.empty', 'names no disk: leave it out');
  const names = new Set<string>();
  for (const item of items) {
    const name = item.text();
    if (name === undefined) continue; // reported as a wrong type
    if (name.trim() === '') item.problem('erase.name', 'names no disk: the WWN or serial number of one');
    else if (names.has(name)) item.problem('erase.duplicate', `${name} is named twice`);
    names.add(name);
  }
  if (selector === undefined && block?.get('diskSelector') === undefined)
    field.problem('erase.system_disk', 'the system disk is never erased: erase needs a diskSelector');
  return { erase: [...names] };
}

function readSizes(
  volume: Place,
  block: Place | undefined,
  { rules, defaults, least: floor }: ProvisioningRules,
): { minSize?: bigint; maxSize?: Size } {
  const minField = block?.get('minSize');
  const maxField = block?.get('maxSize');
  const minSize = readBytes(minField, 'size.min_negative');
  const maxSize = readSize(maxField);
  if (minSize === 0n) minField?.problem('size.zero', 'a minimum of nothing: leave it out or give a size');
  const nothing = maxSize !== undefined && isNothing(maxSize);
  if (nothing) {
    maxField?.problem('size.zero', 'leaves nothing or says nothing; leave it out to take all that is free');
  }
  if (rules === 'partition' && isUnset(minField) && isUnset(maxField)) {
    (block ?? volume).problem('size.required', 'minSize or maxSize is required');
  }
  if (floor !== undefined && minSize !== undefined && minSize < floor.bytes) {
    minField?.problem('size.too_small', floor.reason);
  }
  const least = minSize ?? defaults.minSize;
  const limit = maxSize?.kind === 'bytes' && !maxSize.negative && !nothing ? maxSize.bytes : undefined;
  if (limit !== undefined && least !== undefined && least > limit) {
    const which = minSize === undefined ? `the default minSize of ${least} bytes` : 'minSize';
    (minSize === undefined ? maxField : minField)?.problem(
      'size.min_gt_max',
      `${which} is larger than maxSize`,
    );
  }
  return {
    ...(least === undefined ? {} : { minSize: least }),
    ...(maxSize === undefined ? {} : { maxSize }),
  };
}

function isUnset(field: Place | undefined): boolean {
  return field === undefined || field.literal() === '';
}
