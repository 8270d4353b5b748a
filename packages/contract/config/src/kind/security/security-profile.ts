import { document } from '../../document.ts';
import { boolean } from '../../field/scalars.ts';
import { fallback } from '../../field/type.ts';

/** `SecurityProfileConfig`: how far workloads are kept from the node. */
export const securityProfile = document(
  'SecurityProfileConfig',
  'how far workloads are kept from the node',
  () => ({
    takesEffect: 'reboot',
    awaits: 'isolation',
    container: 'ignored',
    fields: {
      workloadIsolation: fallback('whether workloads have processes and mounts of their own', boolean, false),
    },
    example: 'workloadIsolation: true\n',
  }),
);
