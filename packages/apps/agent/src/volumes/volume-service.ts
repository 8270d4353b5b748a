import type {
  AddRecoveryKeyRequest,
  AddRecoveryKeyResponseInit,
  BackupHeaderRequest,
  BackupHeaderResponseInit,
  RestoreHeaderRequest,
  RestoreHeaderResponseInit,
  RotateKeysRequest,
  RotateKeysResponseInit,
  VolumeServiceHandlers,
} from '@nodecore/api/volume';
import { codeOf, Secret } from '@nodecore/sys';

import type { VolumeController } from './volume-controller.ts';
import { audited } from '../server/audit.ts';
import { ServerError } from '../server/errors.ts';
import { type CallContext, collecting, type HandlerOptions, streaming, unary } from '../server/handlers.ts';
import { rotateVolume } from './rotation.ts';

export type VolumesService = Pick<VolumeController, 'keysOf' | 'statuses'>;

/** What one message holds; far below what clients accept. */
const pieceBytes = 1 << 20;

/** A LUKS2 header with its keyslots has 16 MiB by default, and at most 4 and 128 MiB. */
const largestHeaderBytes = 136 << 20;

/** The keys and headers of encrypted volumes. Each call leaves a line that says who asked for what. */
export function volumeService(volumes: VolumesService, options: HandlerOptions): VolumeServiceHandlers {
  const { log } = options;
  return {
    rotateKeys: streaming(
      options,
      async function* (
        request: RotateKeysRequest,
        context: CallContext,
      ): AsyncGenerator<RotateKeysResponseInit> {
        for (const id of request.volumes) volumes.keysOf(id); // an unknown name is told before anything is done
        const ids = request.volumes.length > 0 ? new Set(request.volumes) : encrypted(volumes);
        for (const volume of ids) {
          if (request.volumes.length === 0 && isGone(volumes, volume)) continue;
          const { slots, dryRun } = request;
          const note = audited(log, context, { action: 'rotate-keys', volume, slots, dryRun });
          yield* rotateVolume(
            () => volumes.keysOf(volume),
            { volume, slots, dryRun, signal: context.signal },
            note,
          );
        }
      },
    ),

    addRecoveryKey: unary(
      options,
      async (
        { volume, key }: AddRecoveryKeyRequest,
        context: CallContext,
      ): Promise<AddRecoveryKeyResponseInit> => {
        using recovery = Secret.take(key); // the message itself is overwritten
        if (recovery.sizeBytes === 0) throw new ServerError('ERR_SERVER_REQUEST', 'the key is empty');
        const note = audited(log, context, { action: 'add-recovery-key', volume });
        const slot = await note.of(volumes.keysOf(volume).addRecoveryKey(recovery, context));
        return { slot };
      },
    ),

    backupHeader: streaming(
      options,
      async function* (
        { volume }: BackupHeaderRequest,
        context: CallContext,
      ): AsyncGenerator<BackupHeaderResponseInit> {
        const note = audited(log, context, { action: 'backup-header', volume });
        const bytes = await note.of(volumes.keysOf(volume).backupHeader(context));
        for (let from = 0; from < bytes.length; from += pieceBytes) {
          yield { data: bytes.subarray(from, from + pieceBytes) };
        }
      },
    ),

    restoreHeader: collecting(
      options,
      async (
        requests: AsyncIterable<RestoreHeaderRequest>,
        context: CallContext,
      ): Promise<RestoreHeaderResponseInit> => {
        const { volume, force, bytes } = await received(requests);
        const note = audited(log, context, { action: 'restore-header', volume, force });
        const { signal } = context;
        const uuid = await note.of(volumes.keysOf(volume).restoreHeader(bytes, { force, signal }));
        return { uuid };
      },
    ),
  };
}

function encrypted(volumes: VolumesService): readonly string[] {
  return volumes
    .statuses()
    .filter(({ configuredEncryptionKeys }) => configuredEncryptionKeys.length > 0)
    .map(({ id }) => id);
}

/** It was taken out of the configuration, and has a status until it is closed. */
function isGone(volumes: VolumesService, id: string): boolean {
  try {
    volumes.keysOf(id);
    return false;
  } catch (error) {
    if (codeOf(error) === 'ERR_VOLUME_NOT_FOUND') return true;
    throw error;
  }
}

type Received = { readonly volume: string; readonly force: boolean; readonly bytes: Buffer };

async function received(requests: AsyncIterable<RestoreHeaderRequest>): Promise<Received> {
  let volume: string | undefined;
  let force = false;
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const request of requests) {
    if (volume === undefined) ({ volume, force } = request);
    sizeBytes += request.data.length;
    if (sizeBytes > largestHeaderBytes)
      throw new ServerError('ERR_SERVER_REQUEST', `a header has at most ${largestHeaderBytes} bytes`);
    pieces.push(request.data);
  }
  if (volume === undefined || volume === '')
    throw new ServerError('ERR_SERVER_REQUEST', 'the first message names no volume');
  return { volume, force, bytes: Buffer.concat(pieces) };
}
