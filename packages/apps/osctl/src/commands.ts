import { type CommandEntry, completionCommands } from '@nodecore/cli';

/** Every command, in the order of the help text. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'apply-config',
    aliases: ['apply'],
    summary: 'replace the machine configuration of nodes',
    load: () => import('./apply-config/command.ts'),
  },
  {
    name: 'patch',
    summary: 'change the machine configuration of nodes',
    load: () => import('./patch/command.ts'),
  },
  {
    name: 'edit',
    summary: 'change the machine configuration of nodes in an editor',
    load: () => import('./edit/command.ts'),
  },
  {
    name: 'machineconfig',
    aliases: ['mc'],
    summary: 'change machine configurations in files',
    load: () => import('./machineconfig/command.ts'),
  },
  {
    name: 'get',
    aliases: ['g'],
    summary: 'print resources: everything a node knows',
    load: () => import('./get/command.ts'),
  },
  {
    name: 'describe',
    summary: 'print all that is known of resources',
    load: () => import('./describe/command.ts'),
  },
  {
    name: 'wait',
    summary: 'wait until resources are as wanted',
    load: () => import('./wait/command.ts'),
  },
  { name: 'disks', summary: 'list disks', load: () => import('./disks/command.ts') },
  { name: 'mounts', aliases: ['mount'], summary: 'list mounts', load: () => import('./mounts/command.ts') },
  {
    name: 'memory',
    aliases: ['m', 'free'],
    summary: 'show how much memory nodes have, use and have left',
    load: () => import('./memory/command.ts'),
  },
  {
    name: 'processes',
    aliases: ['p', 'ps'],
    summary: 'list what runs, and what it uses',
    load: () => import('./processes/command.ts'),
  },
  {
    name: 'netstat',
    aliases: ['ss'],
    summary: 'list sockets, and who has them open',
    load: () => import('./netstat/command.ts'),
  },
  {
    name: 'containers',
    aliases: ['c'],
    summary: 'list containers',
    load: () => import('./containers/command.ts'),
  },
  { name: 'stats', summary: 'show what containers use', load: () => import('./stats/command.ts') },
  {
    name: 'image',
    aliases: ['images'],
    summary: 'images of containers on nodes',
    load: () => import('./image/command.ts'),
  },
  {
    name: 'debug',
    summary: 'run a privileged container on a node',
    load: () => import('./debug/command.ts'),
  },
  {
    name: 'service',
    aliases: ['services'],
    summary: 'list the services of nodes; start and stop them',
    load: () => import('./service/command.ts'),
  },
  {
    name: 'health',
    summary: 'check nodes and their kvstore, and wait until they are well',
    load: () => import('./health/command.ts'),
  },
  {
    name: 'support',
    summary: 'save what is needed to find out what is wrong with nodes',
    load: () => import('./support/command.ts'),
  },
  { name: 'logs', summary: 'print what services printed', load: () => import('./logs/command.ts') },
  { name: 'restart', summary: 'restart a service', load: () => import('./restart/command.ts') },
  {
    name: 'pcap',
    aliases: ['tcpdump'],
    summary: 'capture packets of network interfaces',
    load: () => import('./pcap/command.ts'),
  },
  {
    name: 'cgroups',
    aliases: ['cg'],
    summary: 'show control groups: what they may use, use and wait for',
    load: () => import('./cgroups/command.ts'),
  },
  {
    name: 'pressure',
    summary: 'show who waits for processors, memory and I/O',
    load: () => import('./pressure/command.ts'),
  },
  {
    name: 'volume',
    summary: 'keys and headers of encrypted volumes',
    load: () => import('./volume/command.ts'),
  },
  {
    name: 'trim',
    summary: 'tell the disks of volumes which blocks are free',
    load: () => import('./trim/command.ts'),
  },
  {
    name: 'wipe',
    summary: 'make disks, partitions and volumes blank',
    destroys: true,
    load: () => import('./wipe/command.ts'),
  },
  {
    name: 'reset',
    summary: 'wipe the system of a node, and have it begin anew',
    destroys: true,
    load: () => import('./reset/command.ts'),
  },
  {
    name: 'install',
    summary: 'put a release on the disk of nodes that have none',
    load: () => import('./install/command.ts'),
  },
  {
    name: 'upgrade',
    summary: 'have nodes run another release',
    load: () => import('./upgrade/command.ts'),
  },
  {
    name: 'rollback',
    summary: 'have nodes run the release before',
    destroys: true,
    load: () => import('./rollback/command.ts'),
  },
  {
    name: 'reboot',
    summary: 'begin the machines of nodes anew',
    destroys: true,
    load: () => import('./reboot/command.ts'),
  },
  {
    name: 'shutdown',
    summary: 'switch the machines of nodes off',
    destroys: true,
    load: () => import('./shutdown/command.ts'),
  },
  {
    name: 'meta',
    summary: 'change what META keeps for users',
    load: () => import('./meta/command.ts'),
  },
  {
    name: 'dmesg',
    summary: 'print what the kernels of nodes say',
    load: () => import('./dmesg/command.ts'),
  },
  {
    name: 'events',
    summary: 'print what happens on nodes, as it happens',
    load: () => import('./events/command.ts'),
  },
  {
    name: 'kvstore',
    aliases: ['etcd'],
    summary: 'members, alarms and snapshots of the kvstore',
    load: () => import('./kvstore/command.ts'),
  },
  {
    name: 'bootstrap',
    summary: 'begin the kvstore on the first node of a cluster',
    load: () => import('./bootstrap/command.ts'),
  },
  {
    name: 'inspect',
    summary: 'show how a node works inside',
    load: () => import('./inspect/command.ts'),
  },
  {
    name: 'version',
    summary: 'print the version of this client and of nodes',
    load: () => import('./version/command.ts'),
  },
  {
    name: 'auth',
    summary: 'what the certificate in use may do',
    load: () => import('./auth/command.ts'),
  },
  { name: 'config', summary: 'manage the client config', load: () => import('./config/command.ts') },
  {
    name: 'gen',
    summary: 'generate keys, certificates, secrets and configurations',
    load: () => import('./gen/command.ts'),
  },
  {
    name: 'cluster',
    summary: 'local clusters of virtual machines',
    load: () => import('./cluster/command.ts'),
  },
  {
    name: 'validate',
    summary: 'check a machine configuration',
    load: () => import('./validate/command.ts'),
  },
  ...completionCommands,
];
