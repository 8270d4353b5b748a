import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { metaTag } from '@nodecore/meta';

import { ethernetInterfaces } from '../dhcp/dhcp.ts';
import type { Meta } from '../persistence/meta.ts';
import { firmwareUuid } from '../persistence/machine-uuid.ts';
import type { UrlFacts } from './url-source.ts';

const interfaces = '/sys/class/net';

/** What the machine knows of itself. @param meta undefined while it is looked for. */
export function machineFacts(meta: () => Meta | undefined): UrlFacts {
  return {
    uuid: firmwareUuid,
    serial: productSerial,
    mac: async () => {
      const [first] = await ethernetInterfaces(interfaces);
      return first === undefined ? undefined : await textOf(join(interfaces, first, 'address'));
    },
    hostname: () => Promise.resolve(/^\(none\)$|^localhost$/u.test(hostname()) ? undefined : hostname()),
    code: () => {
      const value = meta()?.get(metaTag.downloadCode);
      return Promise.resolve(value && Buffer.from(value).toString('utf8').trim());
    },
  };
}

/** smbios(5): the serial number that the firmware gives the machine. */
export function productSerial(): Promise<string | undefined> {
  return textOf('/sys/class/dmi/id/product_serial');
}

/** Undefined for what this machine does not have. */
async function textOf(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
}
