import type { DiscoveredVolume, Disk, Inventory } from '@nodecore/block';
import type { EmptinessAnswer, Place, VolumeStatus } from '@nodecore/volumes';

import type { VolumeController } from '../volumes/volume-controller.ts';
import { ProofError } from './errors.ts';

/** Whether a disk or partition is empty, and what the answer rests on. */
export type Proof = EmptinessAnswer & { readonly device: string; readonly devPath: string };

export type ProofsParts = {
  /** Undefined until all disks were looked at. */
  readonly inventory: { readonly value: Inventory | undefined };
  readonly volumes: Pick<VolumeController, 'proveEmpty' | 'statuses'>;
  /** Whether the volumes are those of a configuration that is in force. */
  readonly isConfigured: () => boolean;
};

/** Says why a disk may, or may not, be given to a volume. */
export class Proofs {
  readonly #parts: ProofsParts;

  constructor(parts: ProofsParts) {
    this.#parts = parts;
  }

  /**
   * Reads a device that is named like the kernel does, by its path, or by a link to it. One that does not answer is not empty,
   * for that reason.
   *
   * @throws {ProofError} when there is no such device, or discovery does not know yet.
   */
  async prove(name: string, signal: AbortSignal): Promise<Proof> {
    const { inventory, volumes, isConfigured } = this.#parts;
    if (name === '') throw new ProofError('ERR_PROOF_REQUEST', 'no disk is named');
    if (!isConfigured())
      throw new ProofError('ERR_PROOF_BUSY', 'the volumes of the node are not known yet: try again');
    if (inventory.value === undefined)
      throw new ProofError('ERR_PROOF_BUSY', 'the disks are still being looked at: try again');
    const { device, ...place } = find(name, inventory.value);
    const { disk, devPath } = place;
    if (disk.cdrom)
      throw new ProofError('ERR_PROOF_REQUEST', `${device} is an optical drive, which no volume is made on`);
    if (disk.unresponsive === true)
      return { device, devPath, empty: false, reasons: [`${devPath} does not answer`] };
    const worker = volumes.statuses().find((status) => isAtWork(status, place));
    if (worker !== undefined) {
      const reason = `volume ${worker.id} is at work on ${disk.devPath}: try again later`;
      return { device, devPath, empty: false, reasons: [reason] };
    }
    return { device, devPath, ...(await volumes.proveEmpty(place, signal)) };
  }
}

const working: ReadonlySet<VolumeStatus['phase']> = new Set(['located', 'provisioned', 'prepared']);

/** Whether a volume is on its way to be used there: a proof would have the device just when the volume wants it. */
function isAtWork(
  { phase, location, parentLocation, mountLocation }: VolumeStatus,
  { disk, devPath }: Place,
): boolean {
  if (!working.has(phase)) return false;
  const paths = new Set([disk.devPath, devPath, `/dev/mapper/${disk.mapping?.name ?? ''}`]);
  return [location, parentLocation, mountLocation].some((path) => path !== undefined && paths.has(path));
}

function find(name: string, { disks, volumes }: Inventory): Place & { readonly device: string } {
  const isNamed = ({ id, devPath, symlinks }: Disk | DiscoveredVolume): boolean =>
    name === id || name === devPath || symlinks.includes(name);
  const disk = disks.find(
    (one) => isNamed(one) || (one.mapping !== undefined && name === `/dev/mapper/${one.mapping.name}`),
  );
  if (disk !== undefined) return { disk, device: disk.id, devPath: disk.devPath };
  const partition = volumes.find((one) => one.type === 'partition' && isNamed(one));
  const parent = disks.find(({ id }) => id === partition?.parent);
  if (partition === undefined || parent === undefined)
    throw new ProofError('ERR_PROOF_NOT_FOUND', `there is no disk or partition ${name}`);
  return { disk: parent, device: partition.id, devPath: partition.devPath };
}
