import { VolumeError } from '../errors.ts';
import type { MountRequest, VolumeMountRequest } from '../mounts/request.ts';
import type { MountRequests } from '../mounts/requests.ts';
import { mountStatusOf } from '../mounts/status.ts';
import type { Roster } from './roster.ts';
import type { MountStatus } from '../status.ts';
import type { VolumeTask } from './task.ts';
import { type VolumeMountStatus, volumeMountStatusOf } from '../mounts/volume-mount-status.ts';

/** What is mounted, for whom, and what keeps it mounted. */
export class MountView {
  readonly #requests: MountRequests;
  readonly #roster: Pick<Roster, 'all' | 'tasks' | 'wanted'>;
  /** Who needs each volume, and whether it leaves, when that was asked for last. */
  #last: ReadonlyMap<string, string> = new Map();

  constructor(requests: MountRequests, roster: Pick<Roster, 'all' | 'tasks' | 'wanted'>) {
    this.#requests = requests;
    this.#roster = roster;
  }

  mounts(): readonly MountStatus[] {
    return this.#roster.all.flatMap((task) => this.#mountOf(task) ?? []);
  }

  /** One for each volume with a request. */
  merged(): readonly MountRequest[] {
    return this.#roster.all.flatMap(({ spec }) => this.#requests.merged(spec, this.#isWanted(spec.id)) ?? []);
  }

  /** What became of a request, whether it is in force yet or not. */
  statusFor(request: VolumeMountRequest): VolumeMountStatus {
    const task = this.#roster.all.find(({ spec }) => spec.id === request.volumeId);
    if (task === undefined) return volumeMountStatusOf(request, 'unknown');
    if (task.spec.mount === undefined) return volumeMountStatusOf(request, 'never');
    const mount = this.#mountOf(task);
    // Also what is wiped, and what is closed before it begins anew, is not offered meanwhile.
    const isLeaving = !this.#roster.tasks.includes(task);
    if (mount === undefined) return volumeMountStatusOf(request, isLeaving ? 'leaving' : 'waiting');
    return volumeMountStatusOf(request, { ...mount, isLeaving });
  }

  /** Volumes that others need than when this was asked last, or that leave since: their own statuses don't tell that. */
  news(): readonly VolumeTask[] {
    const last = this.#last;
    const now = this.#roster.all.map((task) => {
      const { request, isLeaving } = this.#mountOf(task) ?? {};
      return { task, told: JSON.stringify([isLeaving, request]) };
    });
    this.#last = new Map(now.map(({ task, told }) => [task.spec.id, told]));
    return now.filter(({ task, told }) => (last.get(task.spec.id) ?? told) !== told).map(({ task }) => task);
  }

  /** What is mounted on a volume. */
  above(volumeId: string): readonly VolumeTask[] {
    return this.#roster.tasks.filter(({ spec }) => spec.mount?.parent === volumeId);
  }

  /** @throws {VolumeError} `ERR_VOLUME_REQUESTED`: a request is left for it, or for what is mounted on it. */
  requireUnused(volumeId: string): void {
    const ids = [volumeId, ...this.above(volumeId).map(({ spec }) => spec.id)];
    const needed = ids.filter((id) => this.#requests.of(id).length > 0);
    if (needed.length === 0) return;
    const holders = this.#requests.holders(...needed).join(', ');
    const message = `${needed.join(', ')} is needed by ${holders}: take that out of the configuration first`;
    throw new VolumeError('ERR_VOLUME_REQUESTED', volumeId, message, 'needs-operator');
  }

  #isWanted(id: string): boolean {
    return this.#roster.wanted.has(id);
  }

  #mountOf({ spec, status }: VolumeTask): MountStatus | undefined {
    const isWanted = this.#isWanted(spec.id);
    const request = this.#requests.merged(spec, isWanted);
    return mountStatusOf(spec, status, { request, isLeaving: !isWanted });
  }
}
