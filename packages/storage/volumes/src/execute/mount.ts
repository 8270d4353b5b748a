import { blankRecord } from './blank.ts';
import { callsForCheck } from './check.ts';
import { VolumeError } from '../errors.ts';
import { openLocked } from './luks.ts';
import { isOnImage, mappingName, type VolumeSpec } from '../spec.ts';
import type { VolumeStatus } from '../status.ts';
import { foundOf, type Result, type Work } from '../work.ts';
import { refuseUnknownFilesystem } from './known-filesystem.ts';

/** Unlocks what was found finished. */
export async function openFound(work: Work): Promise<Result> {
  const opener = await openLocked(work, foundOf(work).devPath);
  const mountLocation = `/dev/mapper/${mappingName(work.spec.id)}`;
  return {
    opener,
    status: {
      phase: 'prepared',
      mountLocation,
      encryptionProvider: 'luks2',
      encryptionSlot: opener.slot,
      ...uuid(work),
      ...blankRecord(work),
    },
  };
}

/** Takes content that is accessible already: in clear, or unlocked by an earlier process of ours. */
export function adoptContent(work: Work, mountLocation: string): Result {
  return {
    status: {
      phase: 'prepared',
      mountLocation,
      ...(work.spec.encryption === undefined ? {} : { encryptionProvider: 'luks2' }),
      ...foundType(work),
      ...uuid(work),
      ...blankRecord(work),
    },
  };
}

/** Takes what an earlier process of ours has mounted. */
export function adoptMount({ spec }: Work): Result {
  return { status: { phase: 'ready', ...locationWithoutDevice(spec) } };
}

export async function mount(work: Work): Promise<Result> {
  const { spec, status, effects } = work;
  const { mount: wanted, type, tag } = spec;
  if (wanted === undefined) {
    await effects.swapOn(prepared(work));
  } else if (type === 'directory') {
    await effects.bindDirectory(wanted);
  } else {
    const { target, flags, mode } = wanted;
    if (type === 'external') await refuseUnlabelled(work);
    await refuseUnknownFilesystem(work);
    await refuseHiding(work, target);
    try {
      await effects.mount({
        source: tag ?? prepared(work),
        target,
        type: tag === undefined ? (spec.filesystem?.type ?? status.filesystem ?? '') : 'virtiofs',
        flags,
        ...(mode === undefined ? {} : { mode }),
        projectQuotaSupport: spec.filesystem?.projectQuotaSupport ?? false,
      });
    } catch (error) {
      if (!callsForCheck(work, error)) throw error;
      return { sound: 'refused' };
    }
  }
  return { status: { phase: 'ready', ...locationWithoutDevice(spec) } };
}

/**
 * A filesystem over a directory with data: programs would begin with nothing, and the data would be out of sight. Where STATE,
 * EPHEMERAL and IMAGECACHE are mounted lies what came with the system's image, and what was written since the boot: only what
 * outlives a boot counts there.
 */
async function refuseHiding({ spec, effects }: Work, target: string): Promise<void> {
  const found = await (isOnImage(spec) ? effects.hiddenLastingData(target) : effects.hiddenData(target));
  if (found === undefined) return;
  const message =
    `${target} is a directory with data, ${found} for one, which ${spec.id} would hide: stop what uses it, and move its ` +
    `content away; ${spec.id} is mounted soon after. Then move the content back`;
  throw new VolumeError('ERR_VOLUME_HIDES_DATA', spec.id, message, 'needs-operator');
}

/** Programs would be kept from every file of a directory without labels. */
async function refuseUnlabelled({ spec, effects }: Work): Promise<void> {
  const enforced = await effects.enforcedAccessControl();
  if (enforced === undefined) return;
  const message = `${enforced} is enforced on this node, and what the host shares has no labels of it`;
  throw new VolumeError('ERR_VOLUME_ACCESS_CONTROL', spec.id, message, 'needs-operator');
}

function prepared({ spec, status }: Work): string {
  if (status.mountLocation === undefined) throw new TypeError(`volume ${spec.id} is not prepared`);
  return status.mountLocation;
}

/** What is mounted of a volume that has no device. */
function locationWithoutDevice({ type, tag, mount }: VolumeSpec): Partial<VolumeStatus> {
  if (type === 'directory' && mount !== undefined) return { mountLocation: mount.target };
  return type === 'external' && tag !== undefined ? { mountLocation: tag, filesystem: 'virtiofs' } : {};
}

export async function changeMount({ spec, effects }: Work): Promise<Result> {
  if (spec.mount !== undefined) await effects.changeMount(spec.mount.target, spec.mount.flags);
  return {};
}

/** The type of a filesystem that another system has made. */
function foundType({ spec, facts }: Work): { readonly filesystem?: string } {
  const content = typeof facts.device === 'object' ? facts.device.content : undefined;
  return spec.kind === 'existing' && content?.kind === 'filesystem' ? { filesystem: content.type } : {};
}

function uuid({ facts }: Work): { readonly uuid?: string } {
  const content = typeof facts.device === 'object' ? facts.device.content : undefined;
  return content !== undefined && 'uuid' in content ? { uuid: content.uuid } : {};
}
