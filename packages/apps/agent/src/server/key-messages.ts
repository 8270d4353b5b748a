import { passedOnPath } from '@nodecore/api/forward';
import { MachineService } from '@nodecore/api/machine';
import { VolumeService } from '@nodecore/api/volume';
import { wipeMessages } from '@nodecore/sys';

/** What brings keys and passphrases to the node. */
const paths: ReadonlySet<string> = new Set([
  VolumeService.addRecoveryKey.path,
  MachineService.applyConfiguration.path,
]);

/** Whether messages of this method have keys. */
export function hasKeys(path: string): boolean {
  return paths.has(path);
}

/** From now on what was received by these calls is overwritten behind them; their messages by who reads them. */
export function wipeKeyMessages(): void {
  wipeMessages(new Set([...paths].flatMap((path) => [path, passedOnPath(path)])));
}
