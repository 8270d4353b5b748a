import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What {@link preflightProblems} looks at; tests put another computer in its place. */
export type Computer = {
  readonly isRoot: () => boolean;
  readonly canOpen: (path: string) => boolean;
  readonly hasProgram: (name: string) => boolean;
};

const packages: Readonly<Record<string, string>> = {
  ip: 'iproute2',
  nsenter: 'util-linux',
  setpriv: 'util-linux',
  dnsmasq: 'dnsmasq-base',
};

/** All that this computer lacks for a network of its own, in words; empty when it has everything. */
export function preflightProblems(computer: Computer = thisComputer): readonly string[] {
  return [
    ...(computer.isRoot() ? [] : ['not root: a network namespace with taps needs it; use sudo']),
    ...(computer.canOpen('/dev/net/tun') ? [] : ['/dev/net/tun is missing or closed: no tap devices']),
    ...Object.entries(packages)
      .filter(([name]) => !computer.hasProgram(name))
      .map(([name, source]) => `the program ${name} is missing: install ${source}`),
  ];
}

const thisComputer: Computer = {
  isRoot: () => process.getuid?.() === 0,
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
