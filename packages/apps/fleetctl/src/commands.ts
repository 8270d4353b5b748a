import { type CommandEntry, completionCommands } from '@nodecore/cli';

/** Every command, in the order of the help text. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'get',
    aliases: ['g'],
    summary: 'print resources: everything the fleet knows',
    load: () => import('./get/command.ts'),
  },
  {
    name: 'machine-logs',
    summary: 'print what a machine has logged',
    load: () => import('./machine-logs/command.ts'),
  },
  {
    name: 'security',
    summary: 'what the images of machines are made of, and what is known to be wrong with that',
    load: () => import('./security/command.ts'),
  },
  {
    name: 'jointoken',
    summary: 'tokens by which machines join',
    load: () => import('./jointoken/command.ts'),
  },
  {
    name: 'serviceaccount',
    summary: 'accounts of programs',
    load: () => import('./serviceaccount/command.ts'),
  },
  { name: 'login', summary: 'get a key that signs calls', load: () => import('./login/command.ts') },
  { name: 'web', summary: 'print a link that opens the web page', load: () => import('./web/command.ts') },
  { name: 'config', summary: 'manage the client config', load: () => import('./config/command.ts') },
  {
    name: 'osconfig',
    summary: 'add a context to the client config of osctl, for nodes through the fleet',
    load: () => import('./osconfig/command.ts'),
  },
  ...completionCommands,
];
