import type {
  EmptinessReceiptInit,
  ProveEmptyRequest,
  ProveEmptyResponseInit,
  StorageServiceHandlers,
} from '@nodecore/api/storage';
import type { EmptinessReceipt } from '@nodecore/block';

import type { Proof, Proofs } from './proofs.ts';
import { audited } from '../server/audit.ts';
import { type CallContext, type HandlerOptions, unary } from '../server/handlers.ts';

/** Proofs of emptiness. Each leaves a line that says who asked: it keeps others from the disk meanwhile. */
export function proofHandler(
  proofs: Pick<Proofs, 'prove'>,
  options: HandlerOptions,
): StorageServiceHandlers['proveEmpty'] {
  return unary(
    options,
    async ({ device }: ProveEmptyRequest, context: CallContext): Promise<ProveEmptyResponseInit> => {
      const note = audited(options.log, context, { action: 'prove-empty', device });
      return response(await note.of(proofs.prove(device, context.signal)));
    },
  );
}

function response({ device, devPath, empty, reasons, receipt }: Proof): ProveEmptyResponseInit {
  const facts = { device, devPath, empty, reasons: [...reasons] };
  return receipt === undefined ? facts : { ...facts, receipt: receiptOf(receipt) };
}

function receiptOf(receipt: EmptinessReceipt): EmptinessReceiptInit {
  const { size, at, tookMs, limitMs, read, probedAt, backupsOf, map, users, found, unproven } = receipt;
  return {
    sizeBytes: size,
    begunMillis: BigInt(Math.round(at)),
    durationMillis: BigInt(Math.round(tookMs)),
    limitMillis: BigInt(Math.round(limitMs)),
    read: read.map(({ purpose, ranges }) => ({
      purpose,
      ranges: ranges.map((range) => ({ offsetBytes: range.offset, sizeBytes: range.size })),
    })),
    probedAt: [...probedAt],
    backupsOf: [...backupsOf],
    ...(typeof map === 'string' ? { map } : { mapUnknown: map.unknown }),
    users: [...users],
    found: [...found],
    unproven: [...unproven],
  };
}
