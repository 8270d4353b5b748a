import type { ResourceDefinition } from '@nodecore/api';

/** By version and number of the installation, `1.14.0-2`; none where the machine was not started from an entry of ours. */
export const bootEntries: ResourceDefinition = {
  type: 'BootEntries.runtime.nodecore.dev',
  displayType: 'BootEntry',
  description:
    'An entry of the boot menu, whether it has proven itself, and why the last start of it failed.',
  defaultNamespace: 'runtime',
  aliases: [],
  printColumns: [
    { name: 'Version', jsonPath: '$.version' },
    { name: 'State', jsonPath: '$.state' },
    { name: 'Tries Left', jsonPath: '$.triesLeft' },
    { name: 'Booted', jsonPath: '$.booted' },
    { name: 'Reason', jsonPath: '$.reason' },
  ],
  sensitive: false,
};

/** One resource, `booted`. */
export const bootedEntries: ResourceDefinition = {
  type: 'BootedEntries.runtime.nodecore.dev',
  displayType: 'BootedEntry',
  description:
    'The entry of the boot menu that runs, and whether the firmware has started it or the kernel before it.',
  defaultNamespace: 'runtime',
  aliases: [],
  printColumns: [
    { name: 'Entry', jsonPath: '$.entry' },
    { name: 'Version', jsonPath: '$.version' },
    { name: 'State', jsonPath: '$.state' },
    { name: 'Started By', jsonPath: '$.startedBy' },
  ],
  sensitive: false,
};
