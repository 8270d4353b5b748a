import { openLocked } from './execute-luks.ts';
import { mappingName } from './spec.ts';
import { foundOf, type Result, type Work } from './work.ts';

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
      ...uuid(work),
    },
  };
}

export async function mount(work: Work): Promise<Result> {
  const { spec, status, effects } = work;
  if (status.mountLocation === undefined) throw new TypeError(`volume ${spec.id} is not prepared`);
  await effects.mount({
    source: status.mountLocation,
    target: spec.mount.target,
    type: spec.filesystem.type,
    flags: spec.mount.flags,
    mode: spec.mount.mode,
    projectQuotaSupport: spec.filesystem.projectQuotaSupport,
  });
  return { status: { phase: 'ready' } };
}

export async function changeMount({ spec, effects }: Work): Promise<Result> {
  await effects.changeMount(spec.mount.target, spec.mount.flags);
  return {};
}

function uuid({ facts }: Work): { readonly uuid?: string } {
  const content = typeof facts.device === 'object' ? facts.device.content : undefined;
  return content !== undefined && 'uuid' in content ? { uuid: content.uuid } : {};
}
