import { Signal } from '@nodecore/waiting';

import { sameFlags } from './flags.ts';
import { documentRequest, flagsFor, mergeRequests } from './request.ts';
import type { MountRequest, VolumeMountRequest } from './request.ts';
import type { VolumeSpec } from '../spec.ts';

/** Who needs which volume mounted, beside its document. */
export class MountRequests {
  #requests: readonly VolumeMountRequest[] = [];
  readonly #changed = new Signal();
  /** The same object as long as the same flags come out: a volume is told only of what changes. */
  readonly #formed = new WeakMap<VolumeSpec, VolumeSpec>();

  /** All of them; who is not among them needs nothing any more. */
  replace(requests: readonly VolumeMountRequest[]): void {
    this.#requests = [...requests];
    this.#changed.notify();
  }

  get all(): readonly VolumeMountRequest[] {
    return this.#requests;
  }

  of(volumeId: string): readonly VolumeMountRequest[] {
    return this.#requests.filter((request) => request.volumeId === volumeId);
  }

  /** Requesters of any of these volumes, each once, sorted. */
  holders(...volumeIds: readonly string[]): readonly string[] {
    return [...new Set(volumeIds.flatMap((id) => this.of(id).map(({ requester }) => requester)))].sort();
  }

  /** Resolves when no request for the volume is left. Rejects when the signal fires. */
  async released(volumeId: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (this.of(volumeId).length > 0) await this.#changed.next(signal);
  }

  /** A volume as its document has it, with what its requesters want of its mount. */
  formed(spec: VolumeSpec): VolumeSpec {
    const { mount } = spec;
    if (mount === undefined) return spec;
    const flags = flagsFor(mount.flags, this.of(spec.id));
    const last = this.#formed.get(spec) ?? spec;
    if (last.mount !== undefined && sameFlags(last.mount.flags, flags)) return last;
    const formed = { ...spec, mount: { ...mount, flags } };
    this.#formed.set(spec, formed);
    return formed;
  }

  /** What is wanted of the mount of one volume; undefined without a request. */
  merged(spec: VolumeSpec, isWanted: boolean): MountRequest | undefined {
    if (spec.mount === undefined) return undefined;
    const document = isWanted ? [documentRequest(spec.id, spec.mount.flags)] : [];
    return mergeRequests(spec, [...document, ...this.of(spec.id)]);
  }
}
