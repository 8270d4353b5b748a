import { checkBgp } from './bgp.ts';
import { checkContainers } from './containers.ts';
import { type Documents } from './documents.ts';
import { checkEtcFiles } from './etc-files.ts';
import { checkFirewall } from './firewall.ts';
import { checkLinks } from './links.ts';
import { checkMachineType } from './machine-type.ts';
import { checkMesh } from './mesh.ts';
import { checkNames } from './names.ts';
import { checkVolumePlugins } from './volume-plugins.ts';

/** Rules over several documents, a file each. */
export const rules: readonly ((documents: Documents) => void)[] = [
  checkMachineType,
  checkNames,
  checkEtcFiles,
  checkLinks,
  checkBgp,
  checkFirewall,
  checkMesh,
  checkContainers,
  checkVolumePlugins,
];
