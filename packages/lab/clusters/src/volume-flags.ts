import { keyTypes, type UserVolume, type VolumeEncryption } from './volume-request.ts';
import { parseBytes } from './units.ts';

/** A filesystem has room in it. */
const leastBytes = 300 * 2 ** 20;

/** Volumes of the user's own from `name:size[:name:size]…`, a list for each disk; what is wrong with one goes to `problems`. */
export function readUserVolumes(
  texts: readonly string[],
  problems: string[],
): readonly (readonly UserVolume[])[] {
  const names = new Set<string>();
  return texts.map((text) => {
    const parts = text.split(':');
    if (parts.length % 2 !== 0) problems.push(`--user-volumes ${text}: name:size, as often as wanted`);
    const volumes: UserVolume[] = [];
    for (let at = 0; at + 1 < parts.length; at += 2) {
      const [name = '', size = ''] = parts.slice(at, at + 2);
      const sizeBytes = parseBytes(size) ?? 0;
      if (!/^[a-zA-Z0-9-]{1,34}$/.test(name))
        problems.push(`--user-volumes ${text}: name "${name}": at most 34 letters, digits and dashes`);
      else if (names.has(name)) problems.push(`--user-volumes ${text}: two volumes with the name ${name}`);
      if (sizeBytes < leastBytes) problems.push(`--user-volumes ${text}: size "${size}": at least 300MiB`);
      names.add(name);
      volumes.push({ name, sizeBytes });
    }
    return volumes;
  });
}

/** What the flags of encryption are about, as they were typed. */
export type EncryptionFlags = {
  readonly encryptState: boolean;
  readonly encryptEphemeral: boolean;
  readonly encryptUserVolumes: boolean;
  readonly diskEncryptionKeyTypes: readonly string[];
  readonly withTpm2: boolean;
};

/** Undefined: nothing is encrypted. */
export function readEncryption(flags: EncryptionFlags, problems: string[]): VolumeEncryption | undefined {
  const flag = '--disk-encryption-key-types';
  const keys = flags.diskEncryptionKeyTypes.flatMap((text) => {
    const known = keyTypes.find((each) => each === text);
    if (known === undefined) problems.push(`${flag} ${text}: none of ${keyTypes.join(', ')}`);
    return known ?? [];
  });
  if (flags.diskEncryptionKeyTypes.length === 0) problems.push(`${flag}: at least one`);
  if (keys.includes('tpm') && !flags.withTpm2) problems.push(`${flag} tpm: give --with-tpm2`);
  const { encryptState: state, encryptEphemeral: ephemeral, encryptUserVolumes: userVolumes } = flags;
  return state || ephemeral || userVolumes ? { state, ephemeral, userVolumes, keys } : undefined;
}
