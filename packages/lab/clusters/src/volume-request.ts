/** A volume of the user's own. */
export type UserVolume = { readonly name: string; readonly sizeBytes: number };

/** What opens an encrypted volume, by its place in the list. */
export const keyTypes = ['uuid', 'kms', 'tpm'] as const;

/** Which volumes are encrypted, and what opens them. */
export type VolumeEncryption = {
  readonly state: boolean;
  readonly ephemeral: boolean;
  readonly userVolumes: boolean;
  readonly keys: readonly (typeof keyTypes)[number][];
};

/** Whether the gateway seals keys of volumes: some of them has such a key. */
export function hasKeyServer({ encryption }: { readonly encryption?: VolumeEncryption }): boolean {
  return encryption?.keys.includes('kms') === true;
}
