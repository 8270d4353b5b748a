import { type Place } from '../place.ts';

/** What is wrong with what is of FlexVolume. */
export const isOfFlex: string = 'is of FlexVolume, whose directory is on the node no more: use a CSI driver';

/** Where programs of FlexVolume lay. */
const flexDirectory = '/usr/libexec/kubernetes/kubelet-plugins/volume/exec';

/** Whether a path is in it. */
export function isFlex(path: string | undefined): boolean {
  return path === flexDirectory || path?.startsWith(`${flexDirectory}/`) === true;
}

/** Warns of a directory of FlexVolume among the mounts of a program. */
export function checkFlexMounts(mounts: Place | undefined, fields: readonly string[]): void {
  for (const mount of mounts?.items() ?? []) {
    const place = fields.map((name) => mount.get(name)).find((one) => isFlex(one?.text()));
    place?.warning('volume.flex', isOfFlex);
  }
}
