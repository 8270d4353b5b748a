/** Bootloaders of disk images; absent when the platform decides. */
export const bootloaders = ['dual-boot', 'sd-boot', 'grub'] as const;

/** A bootloader of disk images. */
export type Bootloader = (typeof bootloaders)[number];

/** When a boot loader enrolls the keys that lie beside it. */
export const enrollments = ['off', 'manual', 'if-safe', 'force'] as const;

/** When a boot loader enrolls the keys that lie beside it. */
export type Enrollment = (typeof enrollments)[number];

/** A value of `overlay.options`. */
export type OptionValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly OptionValue[]
  | { readonly [name: string]: OptionValue };

/** What an image is made of besides the release. Empty values are the same as absent ones. */
export type Schematic = {
  /** Whose it is; set by a factory that knows its callers. */
  readonly owner?: string;
  /** What a board needs besides. */
  readonly overlay?: {
    readonly image: string;
    readonly name: string;
    readonly options?: { readonly [name: string]: OptionValue };
  };
  readonly customization?: Customization;
};

/** What is changed of an image. */
export type Customization = {
  /** Documents of the machine configuration that lie in the image. */
  readonly embeddedMachineConfiguration?: string;
  readonly extraKernelArgs?: readonly string[];
  /** Values of META: a public key, 0 to 31, and its text. */
  readonly meta?: readonly MetaValue[];
  readonly systemExtensions?: { readonly officialExtensions?: readonly string[] };
  readonly bootloader?: Bootloader;
  readonly secureboot?: {
    readonly enrollKeys?: Enrollment;
    readonly includeWellKnownCertificates?: boolean;
  };
  readonly diskImage?: { readonly sectorSize?: 512 | 4096 };
};

/** A value of META in an image. */
export type MetaValue = { readonly key: number; readonly value: string };
