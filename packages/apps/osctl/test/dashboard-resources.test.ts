import { EventType } from '@nodecore/api/resource';
import { program, testWith } from '@nodecore/testkit';

import { clientConfig } from './command-line.ts';
import { startDashboardNode } from './dashboard-node.ts';
import { PseudoTerminal } from './dashboard-terminal.ts';
import { resource } from './fake-node.ts';

testWith(program('script'), program('stty'))(
  'on a real terminal resources are browsed as they change, node by node',
  async (t) => {
    const a = await startDashboardNode(t, 'node-a', { specs: { 'VolumeStatuses.block.nodecore.dev': {} } });
    const b = await startDashboardNode(t, 'node-b', {
      specs: { 'Disks.block.nodecore.dev': { 'b-disk': { pretty_size: '7 GB' } } },
    });
    const env = await clientConfig(t, {
      endpoints: [a.endpoint, b.endpoint],
      nodes: [a.endpoint, b.endpoint],
    });
    const terminal = PseudoTerminal.start(t, ['dashboard', '-d', '100ms'], env);
    await terminal.shows('node-a   v1.14.0');
    terminal.type('3');
    await terminal.shows('[F3 resources]', 'Kinds   7', '> DiscoveredVolumes.block.nodecore.dev');
    terminal.type('/disks.b');
    await terminal.shows('Kinds   2 of 7', 'Filter     disks.b_');
    terminal.type('\r\r');
    await terminal.shows('Disks.block.nodecore.dev   1', '> nvme0n1  1        54 GB  QEMU NVMe');
    await a.watched();
    const type = 'Disks.block.nodecore.dev';
    const [changed, added] = [
      resource(type, 'nvme0n1', { pretty_size: '55 GB' }, { version: 2n }),
      resource(type, 'new', { pretty_size: '1 GB' }),
    ];
    a.send({ type: EventType.UPDATED, resource: changed }, { type: EventType.CREATED, resource: added });
    await terminal.shows('Disks.block.nodecore.dev   2', '  new ', '> nvme0n1  2        55 GB');
    terminal.type('\r');
    await terminal.shows('Disk nvme0n1', '  version: 2', '  pretty_size: 55 GB');
    a.send({ type: EventType.DESTROYED, resource: changed });
    await terminal.shows('Disk nvme0n1   it is gone');
    terminal.type('\u001b');
    await terminal.shows('Disks.block.nodecore.dev   1', '> new ');
    terminal.type('l');
    await terminal.shows(`[${b.endpoint}]`, 'Disks.block.nodecore.dev   1', '> b-disk  1        7 GB');
    b.interrupt();
    await terminal.shows('Disks.block.nodecore.dev   ! ', '> b-disk');
    await terminal.shows('Disks.block.nodecore.dev   1', '> b-disk');
    terminal.type('1');
    await terminal.shows('[F1 summary]');
    terminal.type('q');
    t.deepEqual(await terminal.end(), { code: 0, isRestored: true });
  },
);
