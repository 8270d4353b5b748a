import type { ResourceDefinition } from '@nodecore/api';

const runtime = { defaultNamespace: 'runtime', sensitive: false } as const;

/** One resource, `bootid`: another value is another boot of the machine. */
export const bootIds: ResourceDefinition = {
  ...runtime,
  type: 'BootIDs.runtime.nodecore.dev',
  displayType: 'BootID',
  description: 'Which boot of the machine this is.',
  aliases: [],
  printColumns: [{ name: 'Boot ID', jsonPath: '$.bootId' }],
};

/** One resource, `cmdline`. Tokens, configurations and queries of URLs are left out. */
export const kernelCommandLines: ResourceDefinition = {
  ...runtime,
  type: 'KernelCmdlines.runtime.nodecore.dev',
  displayType: 'KernelCmdline',
  description: 'The command line of the running kernel, without what is secret.',
  aliases: [],
  printColumns: [
    { name: 'Command Line', jsonPath: '$.cmdline' },
    { name: 'Ignored', jsonPath: '$.ignored' },
  ],
};

/** By place in the image, `0` on top; none where the machine does not run our image. */
export const extensionStatuses: ResourceDefinition = {
  ...runtime,
  type: 'ExtensionStatuses.runtime.nodecore.dev',
  displayType: 'ExtensionStatus',
  description: 'A layer of the running image; the one named schematic says what the image was made of.',
  aliases: ['extensions', 'extension'],
  printColumns: [
    { name: 'Name', jsonPath: '$.metadata.name' },
    { name: 'Version', jsonPath: '$.metadata.version' },
  ],
};

/** One resource, `systeminformation`; none where no firmware says anything. */
export const systemInformations: ResourceDefinition = {
  ...runtime,
  type: 'SystemInformations.hardware.nodecore.dev',
  displayType: 'SystemInformation',
  description: 'What the firmware says of the machine: who made it, and which one it is.',
  aliases: [],
  printColumns: [
    { name: 'Manufacturer', jsonPath: '$.manufacturer' },
    { name: 'Product Name', jsonPath: '$.productName' },
    { name: 'Version', jsonPath: '$.version' },
    { name: 'Serial Number', jsonPath: '$.serialNumber' },
    { name: 'UUID', jsonPath: '$.uuid' },
    { name: 'SKU Number', jsonPath: '$.skuNumber' },
  ],
};

/** `os` and `kernel`. */
export const versions: ResourceDefinition = {
  ...runtime,
  type: 'Versions.runtime.nodecore.dev',
  displayType: 'Version',
  description: 'What runs on the machine, and which version of it.',
  aliases: [],
  printColumns: [
    { name: 'Name', jsonPath: '$.name' },
    { name: 'Version', jsonPath: '$.version' },
  ],
};
