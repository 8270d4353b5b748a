import { decodeJsonValue, encodeJsonValue, metaTag } from '@nodecore/meta';
import { fieldsOf, type Json } from '@nodecore/state';

import type { Meta } from '../persistence/meta.ts';

/** That an entry was started without the firmware, kept in META until that boot is ready. */
export type KexecMark = {
  /** `1.14.0-2` */
  readonly entry: string;
  /** The boot after it went through the firmware: what was started never became ready. */
  readonly hasFailed: boolean;
};

/** Undefined when there is none. What can't be read is none as well: it says nothing of any entry. */
export function readKexecMark(meta: Meta): KexecMark | undefined {
  try {
    const value = decodeJsonValue(metaTag.kexec, meta.get(metaTag.kexec)) as Json | undefined;
    const { entry, hasFailed } = fieldsOf(value ?? {});
    return typeof entry === 'string' ? { entry, hasFailed: hasFailed === true } : undefined;
  } catch {
    return undefined;
  }
}

/** Survives a power cut from the moment this resolves. @param mark undefined takes it away. */
export async function writeKexecMark(meta: Meta, mark: KexecMark | undefined): Promise<void> {
  await meta.set(metaTag.kexec, mark && encodeJsonValue(mark));
}
