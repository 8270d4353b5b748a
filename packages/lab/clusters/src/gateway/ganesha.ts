import { join } from 'node:path';

import type { ProgramSpec } from '@nodecore/lan';

import { withOwnRun } from './own-run.ts';

/** Where nodes find the directory. */
export const nfsExport = '/shared';

/**
 * The configuration of NFS-Ganesha: one directory by NFS version 4 alone, which needs no other service. Pure.
 *
 * @param paths of the directory, and of what it keeps of its clients.
 */
export function ganeshaConfig(
  gateway: string,
  { shared, state }: { readonly shared: string; readonly state: string },
): string {
  return `NFS_CORE_PARAM {
  Protocols = 4;
  NFS_Port = 2049;
  Bind_addr = ${gateway};
  Enable_NLM = false;
  Enable_RQUOTA = false;
  mount_path_pseudo = true;
}
NFSv4 {
  Graceless = true;
  UseGetpwnam = true;
  Only_Numeric_Owners = true;
  RecoveryRoot = ${quoted(state)};
}
EXPORT {
  Export_Id = 1;
  Path = ${quoted(shared)};
  Pseudo = ${nfsExport};
  Access_Type = RW;
  Squash = No_Root_Squash;
  SecType = sys;
  FSAL { Name = VFS; }
}
`;
}

/** How it is started. @param program its path. @param directory of the network */
export function ganeshaProgram(program: string, directory: string): ProgramSpec {
  const [config, pid, log] = ['nfs.conf', 'nfs.pid', 'nfs.log'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  const argv = withOwnRun([program, '-F', '-f', config, '-p', pid, '-L', 'STDERR', '-N', 'NIV_EVENT']);
  return { name: 'NFS-Ganesha', argv, mark: config, log, ready: { words: 'NFS SERVER INITIALIZED' } };
}

function quoted(path: string): string {
  return JSON.stringify(path);
}
