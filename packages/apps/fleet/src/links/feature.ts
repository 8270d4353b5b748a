import { links as linkDefinition, machines, machineStatuses, pendingMachines } from '@nodecore/fleet-api';
import { ManagementService } from '@nodecore/fleet-api/protocol';
import { protocol } from '@nodecore/fleet-link';

import type { Feature } from '../feature.ts';
import { logService } from '../logs/log-service.ts';
import { MachineLogs } from '../logs/machine-logs.ts';
import { MachineRecords } from '../machines/machine-records.ts';
import { NodeConnections } from '../proxy/node-connection.ts';
import { proxyService } from '../proxy/proxy-service.ts';
import { servicePart } from '../server/service-part.ts';
import { linkAuthorities, RoleCertificates } from './authorities.ts';
import { forgetDestroyed } from './forget-destroyed.ts';
import { Links } from './links.ts';

/** Machines that dial in: who they are, what they say and log, and their API for callers of the fleet. */
export const links: Feature = {
  name: 'links',
  definitions: [linkDefinition, machines, machineStatuses, pendingMachines],
  make: (fleet) => {
    const records = new MachineRecords(fleet);
    const logs = new MachineLogs(fleet.clock);
    const opened = new DisposableStack();
    let all: Links | undefined;
    let connections: NodeConnections | undefined;
    return {
      prepare: async () => {
        const authorities = await linkAuthorities(fleet.configuration.stateFile);
        for (const { key } of Object.values(authorities)) opened.use(key);
        connections = new NodeConnections(opened.use(new RoleCertificates(authorities.access, fleet.clock)));
        await records.begin();
        all = new Links({ fleet, authorities, records, logs });
        void forgetDestroyed(fleet, { links: all, records, logs });
      },
      protocols: { [protocol]: (socket) => (all === undefined ? socket.destroy() : all.accept(socket)) },
      services: (options) => {
        if (all === undefined || connections === undefined) throw new TypeError('the links are not prepared');
        return [
          servicePart(ManagementService, logService(fleet, logs, options)),
          proxyService(fleet, { links: all, connections }, options),
        ];
      },
      close: async () => {
        all?.close();
        opened.dispose();
      },
    };
  },
};
