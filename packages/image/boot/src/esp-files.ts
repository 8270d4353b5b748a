import { View } from '@nodecore/view';

import { type EntryName, formatEntryName } from './entry-name.ts';
import { loaderConf, type SecureBootEnrollment } from './loader-conf.ts';

/** A file of the EFI system partition. */
export type EspFile = {
  /** From the root of the partition, with `/`. */
  readonly path: string;
  readonly content: View;
};

/** Where entries lie. */
export const entryDirectory = '/EFI/Linux';

export type Architecture = 'amd64' | 'arm64';

/** Where the boot loader lies that an option of the firmware starts; the same one is at `/EFI/BOOT`, for firmware without an option. */
export function bootLoaderPath(architecture: Architecture): string {
  return `/EFI/systemd/systemd-boot${suffixOf(architecture)}.efi`;
}

function suffixOf(architecture: Architecture): string {
  return architecture === 'amd64' ? 'x64' : 'aa64';
}

/** Where the loader's variables for Secure Boot lie: signed with their keys, ready to be enrolled. */
export type EnrollmentKeys = {
  readonly PK: Uint8Array;
  readonly KEK: Uint8Array;
  readonly db: Uint8Array;
};

/** What an installation puts on the partition for {@link EspOptions.secureBoot}, by name below `install/` of an installer image. */
export const enrollmentFiles = {
  PK: 'keys/PK.auth',
  KEK: 'keys/KEK.auth',
  db: 'keys/db.auth',
  certificate: 'keys/uki-signing-cert.der',
} as const;

/** Keys for the firmware, and when the boot loader enrols them. */
export type Enrollment = {
  readonly enrollment: SecureBootEnrollment;
  readonly keys: EnrollmentKeys;
  /** DER of the certificate that signs entries, for people who enrol by hand. */
  readonly certificate?: Uint8Array;
};

export type EspOptions = {
  readonly systemdBoot: View;
  readonly entries: readonly (EntryName & { readonly uki: View })[];
  /** `amd64` by default. */
  readonly architecture?: Architecture;
  readonly secureBoot?: Enrollment;
  /** On a medium that can't be written: zeros in place of a seed, so that the loader does not try to renew it. */
  readonly isReadOnly?: boolean;
};

/**
 * What is on an EFI system partition: in disk images, ISO images and after an installation the same.
 *
 * @example
 * ```ts
 * const files = espFiles({ systemdBoot, entries: [{ imageVersion: '1.14.0', sequence: 1, uki }] });
 * files.map(({ path }) => path); // '/EFI/BOOT/BOOTX64.EFI', …, '/EFI/Linux/nodeos-1.14.0-1.efi'
 * ```
 */
export function espFiles(options: EspOptions): readonly EspFile[] {
  const { systemdBoot, entries, architecture = 'amd64', secureBoot, isReadOnly = false } = options;
  return [
    { path: `/EFI/BOOT/BOOT${suffixOf(architecture).toUpperCase()}.EFI`, content: systemdBoot },
    { path: bootLoaderPath(architecture), content: systemdBoot },
    text('/loader/loader.conf', loaderConf(secureBoot?.enrollment)),
    ...(isReadOnly ? [text('/loader/random-seed', new Uint8Array(32))] : []),
    ...(secureBoot === undefined
      ? []
      : (['PK', 'KEK', 'db'] as const).map((name) =>
          text(`/loader/keys/auto/${name}.auth`, secureBoot.keys[name]),
        )),
    ...(secureBoot?.certificate === undefined
      ? []
      : [text('/EFI/keys/uki-signing-cert.der', secureBoot.certificate)]),
    ...entries.map((entry) => ({ path: `${entryDirectory}/${formatEntryName(entry)}`, content: entry.uki })),
  ];
}

function text(path: string, content: string | Uint8Array): EspFile {
  return { path, content: View.of(typeof content === 'string' ? Buffer.from(content) : content) };
}
