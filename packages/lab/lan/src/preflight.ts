import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What {@link preflightProblems} looks at; tests put another computer in its place. */
export type Computer = {
  /** Whether this user makes network namespaces: root, or whoever may have a user namespace. */
  readonly makesNamespaces: () => boolean;
  readonly canOpen: (path: string) => boolean;
  readonly hasProgram: (name: string) => boolean;
};

const packages: Readonly<Record<string, string>> = {
  ip: 'iproute2',
  nsenter: 'util-linux',
  setpriv: 'util-linux',
  dnsmasq: 'dnsmasq-base',
};

const noNamespaces =
  'not root, and nobody else makes namespaces here (user.max_user_namespaces, kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns of sysctl): use sudo';

/** All that this computer lacks for a network of its own, in words; empty when it has everything. */
export function preflightProblems(computer: Computer = thisComputer): readonly string[] {
  return [
    ...(computer.makesNamespaces() ? [] : [noNamespaces]),
    ...(computer.canOpen('/dev/net/tun') ? [] : ['/dev/net/tun is missing or closed: no tap devices']),
    ...Object.entries(packages)
      .filter(([name]) => !computer.hasProgram(name))
      .map(([name, source]) => `the program ${name} is missing: install ${source}`),
  ];
}

export const thisComputer: Computer = {
  makesNamespaces: () =>
    process.getuid?.() === 0 ||
    spawnSync('unshare', ['--user', '--map-root-user', '--net', 'true'], { stdio: 'ignore' }).status === 0,
  canOpen: (path) => canAccess(path, constants.R_OK | constants.W_OK),
  hasProgram: (name) =>
    `${process.env['PATH'] ?? ''}${delimiter}/usr/sbin${delimiter}/sbin`
      .split(delimiter)
      .some((directory) => canAccess(join(directory, name), constants.X_OK)),
};

function canAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
