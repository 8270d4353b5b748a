import type { ResourceDefinition } from '@nodecore/api';

/** One resource, `securitystate`, read when the agent starts; its facts stay the same until the next boot. */
export const securityStates: ResourceDefinition = {
  type: 'SecurityStates.security.nodecore.dev',
  displayType: 'SecurityState',
  description: 'What of the machine keys can be bound to: Secure Boot, the TPM, and signed measurements.',
  defaultNamespace: 'runtime',
  aliases: ['ss'],
  printColumns: [
    { name: 'Secure Boot', jsonPath: '$.secureBoot' },
    { name: 'Booted with UKI', jsonPath: '$.bootedWithUKI' },
    { name: 'TPM', jsonPath: '$.tpm.present' },
    { name: 'Manufacturer', jsonPath: '$.tpm.manufacturer' },
    { name: 'PCR Signing Key', jsonPath: '$.pcrSigningKeyFingerprint' },
  ],
  sensitive: false,
};

/** By number, `0` to `23`, of the SHA-256 bank; none on a machine without a TPM. */
export const pcrStatuses: ResourceDefinition = {
  type: 'PCRStatuses.hardware.nodecore.dev',
  displayType: 'PCRStatus',
  description: 'A register of the TPM, and what was measured into it since the machine was started.',
  defaultNamespace: 'runtime',
  aliases: ['pcrs'],
  printColumns: [
    { name: 'Bank', jsonPath: '$.bank' },
    { name: 'Used', jsonPath: '$.isUsed' },
    { name: 'Value', jsonPath: '$.value' },
  ],
  sensitive: false,
};
