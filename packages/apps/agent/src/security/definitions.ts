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
