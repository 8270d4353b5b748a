import { kindOf, type Documents } from './documents.ts';

/** Reports documents that only a control plane takes, where the machine is none. */
export function checkMachineType(documents: Documents): void {
  for (const document of documents.all) {
    if (kindOf(document)?.options.only !== 'controlplane') continue;
    if (documents.machineType === 'worker')
      document.at.problem(
        'machine.controlplane_only',
        'only a machine of type controlplane takes this document',
      );
    else if (documents.machineType === undefined)
      document.at.warning(
        'machine.controlplane_only',
        'only a machine of type controlplane takes this document',
      );
  }
}
