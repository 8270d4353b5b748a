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
  printColumns: [{ name: 'Command Line', jsonPath: '$.cmdline' }],
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
