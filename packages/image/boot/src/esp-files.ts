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

/** Where the loader's variables for Secure Boot lie: signed with their keys, ready to be enrolled. */
export type EnrollmentKeys = {
  readonly PK: Uint8Array;
  readonly KEK: Uint8Array;
  readonly db: Uint8Array;
};

export type EspOptions = {
  readonly systemdBoot: View;
  readonly entries: readonly (EntryName & { readonly uki: View })[];
  /** `amd64` by default. */
  readonly architecture?: 'amd64' | 'arm64';
  readonly secureBoot?: {
    readonly enrollment: SecureBootEnrollment;
    readonly keys: EnrollmentKeys;
    /** DER of the certificate that signs entries, for people who enrol by hand. */
    readonly certificate?: Uint8Array;
  };
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
  const suffix = architecture === 'amd64' ? 'x64' : 'aa64';
  return [
    { path: `/EFI/BOOT/BOOT${suffix.toUpperCase()}.EFI`, content: systemdBoot },
    { path: `/EFI/systemd/systemd-boot${suffix}.efi`, content: systemdBoot },
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
