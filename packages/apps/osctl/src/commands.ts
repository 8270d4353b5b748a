import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';

/** Gives a command its flags, arguments, subcommands and action. */
export type Configure = (command: Command, terminal: Terminal) => void;

export type CommandEntry = {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One line for the list of commands; `configure` may write more. */
  readonly summary: string;
  /** Not for people: left out of the help text. */
  readonly hidden?: true;
  /** All that it does destroys, so it is never proposed to somebody who mistyped another. */
  readonly destroys?: true;
  /** Loads what the command needs, only when it is the one that runs. */
  readonly load: () => Promise<{ readonly configure: Configure }>;
};

/** Every command, in the order of the help text. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'apply-config',
    aliases: ['apply'],
    summary: 'replace the machine configuration of nodes',
    load: () => import('./commands/apply-config.ts'),
  },
  {
    name: 'patch',
    summary: 'change the machine configuration of nodes',
    load: () => import('./commands/patch.ts'),
  },
  {
    name: 'edit',
    summary: 'change the machine configuration of nodes in an editor',
    load: () => import('./commands/edit.ts'),
  },
  {
    name: 'machineconfig',
    aliases: ['mc'],
    summary: 'change machine configurations in files',
    load: () => import('./commands/machineconfig.ts'),
  },
  {
    name: 'get',
    aliases: ['g'],
    summary: 'print resources: everything a node knows',
    load: () => import('./commands/get.ts'),
  },
  { name: 'disks', summary: 'list disks', load: () => import('./commands/disks.ts') },
  { name: 'mounts', aliases: ['mount'], summary: 'list mounts', load: () => import('./commands/mounts.ts') },
  {
    name: 'pcap',
    aliases: ['tcpdump'],
    summary: 'capture packets of network interfaces',
    load: () => import('./commands/pcap.ts'),
  },
  {
    name: 'cgroups',
    aliases: ['cg'],
    summary: 'show control groups: what they may use, use and wait for',
    load: () => import('./commands/cgroups.ts'),
  },
  {
    name: 'pressure',
    summary: 'show who waits for processors, memory and I/O',
    load: () => import('./commands/pressure.ts'),
  },
  {
    name: 'volume',
    summary: 'keys and headers of encrypted volumes',
    load: () => import('./commands/volume.ts'),
  },
  {
    name: 'trim',
    summary: 'tell the disks of volumes which blocks are free',
    load: () => import('./commands/trim.ts'),
  },
  {
    name: 'wipe',
    summary: 'make disks, partitions and volumes blank',
    destroys: true,
    load: () => import('./commands/wipe.ts'),
  },
  {
    name: 'reset',
    summary: 'wipe the system of a node, and have it begin anew',
    destroys: true,
    load: () => import('./commands/reset.ts'),
  },
  {
    name: 'kvstore',
    aliases: ['etcd'],
    summary: 'members, alarms and snapshots of the kvstore',
    load: () => import('./commands/kvstore.ts'),
  },
  {
    name: 'bootstrap',
    summary: 'begin the kvstore on the first node of a cluster',
    load: () => import('./commands/bootstrap.ts'),
  },
  {
    name: 'version',
    summary: 'print the version of this client and of nodes',
    load: () => import('./commands/version.ts'),
  },
  {
    name: 'auth',
    summary: 'what the certificate in use may do',
    load: () => import('./commands/auth.ts'),
  },
  { name: 'config', summary: 'manage the client config', load: () => import('./commands/config.ts') },
  {
    name: 'gen',
    summary: 'generate keys, certificates, secrets and configurations',
    load: () => import('./commands/gen.ts'),
  },
  {
    name: 'validate',
    summary: 'check a machine configuration',
    load: () => import('./commands/validate.ts'),
  },
  {
    name: 'completion',
    summary: 'print the completion script of a shell',
    load: () => import('./commands/completion.ts'),
  },
  {
    name: '__complete',
    summary: 'answer the completion script',
    hidden: true,
    load: () => import('./commands/complete.ts'),
  },
];
