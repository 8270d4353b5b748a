import {
  type BlockVolume,
  type Configuration,
  documentOf,
  type Problem,
  type SystemVolume,
  type UserVolume,
} from '@nodecore/config';
import type { VolumeStatus } from '@nodecore/volumes';

import { ApplyError } from './errors.ts';

/**
 * Refuses what is valid as a text and wrong for this node: a volume that holds data can't become another kind of
 * volume, and would be found unusable at the next boot.
 *
 * @throws {ApplyError} `ERR_APPLY_REFUSED` with every problem at once.
 */
export function checkLive(configuration: Configuration, statuses: readonly VolumeStatus[]): void {
  const live = new Map(statuses.map((status) => [status.id, status]));
  const problems = [
    ...rootProblems(configuration),
    ...systemVolumes.flatMap((name) => systemProblems(configuration.systemVolume(name), live.get(name))),
    ...configuration.all('UserVolumeConfig').flatMap((volume) => volumeProblems(volume, live.get(volume.id))),
    ...[...configuration.all('RawVolumeConfig'), ...configuration.all('SwapVolumeConfig')].flatMap((volume) =>
      encryptionProblems(volume, live.get(volume.id)),
    ),
  ];
  const [first] = problems;
  if (first !== undefined) {
    const more = problems.length === 1 ? '' : ` and ${problems.length - 1} more`;
    throw new ApplyError('ERR_APPLY_REFUSED', `${first.document}: ${first.message}${more}`, problems);
  }
}

const systemVolumes = ['STATE', 'EPHEMERAL', 'IMAGECACHE', 'ETCD', 'CRI', 'KUBELET', 'LOG'] as const;

function rootProblems({ machine }: Configuration): Problem[] {
  if (machine !== undefined) return [];
  const message =
    'a document with version v1alpha1 and machine is needed: without its CA nobody could be let in';
  return [problem('root.missing', 'machine', '', message)];
}

/** A partition whose document is gone would be hidden, and its programs begin with an empty directory. */
function systemProblems(volume: SystemVolume, status: VolumeStatus | undefined): Problem[] {
  if (status?.phase === 'ready' && volume.volumeType === 'directory') {
    const message = 'is a partition with data, and cannot become a directory while it is ready';
    return [problem('volume.type_changed', documentOf(volume), 'provisioning', message)];
  }
  return encryptionProblems(volume, status);
}

function volumeProblems(volume: UserVolume, status: VolumeStatus | undefined): Problem[] {
  if (status?.phase !== 'ready') return []; // it holds nothing yet: anything may still be asked
  const document = documentOf(volume);
  const found: Problem[] = [];
  if (status.type !== volume.volumeType) {
    const message = `is a ${status.type}, and can't become a ${volume.volumeType} while it is ready`;
    found.push(problem('volume.type_changed', document, 'volumeType', message));
  }
  const { filesystem } = volume;
  if (filesystem !== undefined && status.filesystem !== undefined && status.filesystem !== filesystem.type) {
    const message = `holds ${status.filesystem}, and can't become ${filesystem.type} while it is ready`;
    found.push(problem('filesystem.type_changed', document, 'filesystem.type', message));
  }
  return [...found, ...encryptionProblems(volume, status)];
}

function encryptionProblems(
  volume: SystemVolume | UserVolume | BlockVolume,
  status: VolumeStatus | undefined,
): Problem[] {
  if (status?.phase !== 'ready' || status.encryptionProvider === volume.encryption?.provider) return [];
  const state = status.encryptionProvider === undefined ? 'not encrypted' : 'encrypted';
  const message = `is ${state}, and can't change that while it is ready`;
  return [problem('encryption.changed', documentOf(volume), 'encryption', message)];
}

/** Line and column are not known here: the text was fine. */
function problem(code: string, document: string, path: string, message: string): Problem {
  return { code, document, path, message, line: 0, column: 0 };
}
