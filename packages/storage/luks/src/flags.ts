import {
  CRYPT_ACTIVATE_ALLOW_DISCARDS,
  CRYPT_ACTIVATE_NO_READ_WORKQUEUE,
  CRYPT_ACTIVATE_NO_WRITE_WORKQUEUE,
  CRYPT_ACTIVATE_READONLY,
  CRYPT_ACTIVATE_SAME_CPU_CRYPT,
  CRYPT_ACTIVATE_SUBMIT_FROM_CRYPT_CPUS,
} from './constants.ts';

/** dm-crypt options that trade latency against CPU. */
export type PerformanceFlag = 'no_read_workqueue' | 'no_write_workqueue' | 'same_cpu_crypt';

/** Options that a header can keep, so that every program that opens the volume uses them. */
export type PersistentFlag = PerformanceFlag | 'allow_discards' | 'submit_from_crypt_cpus';

/** Everything that a mapping was opened with. */
export type MappingFlag = PersistentFlag | 'read_only';

const bits: Readonly<Record<MappingFlag, number>> = {
  allow_discards: CRYPT_ACTIVATE_ALLOW_DISCARDS,
  no_read_workqueue: CRYPT_ACTIVATE_NO_READ_WORKQUEUE,
  no_write_workqueue: CRYPT_ACTIVATE_NO_WRITE_WORKQUEUE,
  read_only: CRYPT_ACTIVATE_READONLY,
  same_cpu_crypt: CRYPT_ACTIVATE_SAME_CPU_CRYPT,
  submit_from_crypt_cpus: CRYPT_ACTIVATE_SUBMIT_FROM_CRYPT_CPUS,
};

const names = Object.keys(bits) as MappingFlag[];

/** True for a name of a dm-crypt option that volumes may ask for. */
export function isPerformanceFlag(text: string): text is PerformanceFlag {
  return text === 'no_read_workqueue' || text === 'no_write_workqueue' || text === 'same_cpu_crypt';
}

/** The name of an option in a LUKS2 header, which writes `allow-discards`. */
export function headerName(flag: PersistentFlag): string {
  return flag.replaceAll('_', '-');
}

/** True for an option of a header that we know the meaning of. */
export function isHeaderFlag(text: string): boolean {
  return names.some((flag) => flag !== 'read_only' && headerName(flag) === text);
}

/** The bits of the options that a header keeps; leaves out options that have no name here. */
export function headerBits(persistentFlags: readonly string[]): number {
  return toBits(names.filter((flag) => flag !== 'read_only' && persistentFlags.includes(headerName(flag))));
}

/** The `CRYPT_ACTIVATE_` bits, which crypt_activate_by_passphrase takes; 0 for no flags. */
export function toBits(flags: readonly MappingFlag[]): number {
  return flags.reduce((sum, flag) => sum | bits[flag], 0);
}

/** The flags that are set, in alphabetical order. */
export function fromBits(value: number): MappingFlag[] {
  return names.filter((flag) => (value & bits[flag]) !== 0);
}
