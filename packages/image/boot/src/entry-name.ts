import { BootError } from './errors.ts';
import { compareImageVersions, isImageVersion } from './version.ts';

/** What the file name of an entry says. */
export type EntryName = {
  /** As in `.osrel`: `1.14.0~rc.1`. */
  readonly imageVersion: string;
  /** Which installation it was: the second of the same version wins over the first. */
  readonly sequence: number;
  /** Starts that are left and that were used; absent once the entry is good. */
  readonly tries?: { readonly left: number; readonly done: number };
};

const pattern =
  /^nodeos-(?<version>[^-+]+)-(?<sequence>\d{1,9})(?:\+(?<left>\d{1,9})(?:-(?<done>\d{1,9}))?)?\.efi$/;

/** Undefined for a file that is no entry of ours. FAT keeps letters as they were written but does not tell them apart. */
export function parseEntryName(name: string): EntryName | undefined {
  const groups = pattern.exec(name.toLowerCase())?.groups;
  const { version = '', sequence = '', left, done = '0' } = groups ?? {};
  if (!isImageVersion(version)) return undefined;
  const entry = { imageVersion: version, sequence: Number(sequence) };
  return left === undefined ? entry : { ...entry, tries: { left: Number(left), done: Number(done) } };
}

/**
 * `nodeos-1.14.0-1.efi`, `nodeos-1.14.1-2+3.efi`, `nodeos-1.14.1-2+2-1.efi`.
 *
 * @throws {BootError} `ERR_BOOT_NAME`.
 */
export function formatEntryName({ imageVersion, sequence, tries }: EntryName): string {
  const numbers = [sequence, tries?.left ?? 0, tries?.done ?? 0];
  const isValid = numbers.every((number) => Number.isInteger(number) && number >= 0 && number < 1e9);
  if (!isValid || !isImageVersion(imageVersion) || imageVersion !== imageVersion.toLowerCase()) {
    throw new BootError(
      'ERR_BOOT_NAME',
      `no entry can be named ${JSON.stringify(imageVersion)}, ${sequence}`,
    );
  }
  const counter = tries === undefined ? '' : `+${tries.left}${tries.done === 0 ? '' : `-${tries.done}`}`;
  return `nodeos-${imageVersion}-${sequence}${counter}.efi`;
}

/** Whether two names are one entry before and after the boot loader counted a start, or it was found good. */
export function isSameEntry(left: EntryName, right: EntryName): boolean {
  return left.imageVersion === right.imageVersion && left.sequence === right.sequence;
}

/**
 * The order of the boot menu, which starts the first one: those without a start left are last, then higher versions
 * come first, then later installations.
 */
export function compareEntries(left: EntryName, right: EntryName): number {
  const [isLeftOut, isRightOut] = [left.tries?.left === 0, right.tries?.left === 0];
  if (isLeftOut !== isRightOut) return isLeftOut ? 1 : -1;
  const version = -compareImageVersions(left.imageVersion, right.imageVersion);
  if (version !== 0) return version;
  if (left.sequence !== right.sequence) return right.sequence - left.sequence;
  if (left.tries === undefined || right.tries === undefined) return 0;
  return right.tries.left - left.tries.left || left.tries.done - right.tries.done;
}
