import type {
  MachineServiceHandlers,
  MetaDeleteRequest,
  MetaDeleteResponseInit,
  MetaWriteRequest,
  MetaWriteResponseInit,
} from '@nodecore/api/machine';

import type { Meta } from '../persistence/meta.ts';
import { audited } from '../server/audit.ts';
import { type CallContext, type HandlerOptions, unary } from '../server/handlers.ts';
import { MetaRequestError } from './errors.ts';
import { checkKey, checkValue, nameOf } from './keys.ts';

/** @param find META, or why there is none: throws then. */
export function metaHandlers(
  find: () => Pick<Meta, 'get' | 'set'>,
  options: HandlerOptions,
): Pick<MachineServiceHandlers, 'metaWrite' | 'metaDelete'> {
  return {
    metaWrite: unary(
      options,
      ({ key, value }: MetaWriteRequest, context: CallContext): Promise<MetaWriteResponseInit> => {
        const write = async (): Promise<MetaWriteResponseInit> => {
          checkKey(key, context.caller);
          checkValue(value);
          await find().set(key, Uint8Array.from(value));
          return {};
        };
        return audited(options.log, context, { action: 'meta-write', key }).of(write());
      },
    ),
    metaDelete: unary(
      options,
      ({ key }: MetaDeleteRequest, context: CallContext): Promise<MetaDeleteResponseInit> => {
        const remove = async (): Promise<MetaDeleteResponseInit> => {
          checkKey(key, context.caller);
          const meta = find();
          if (meta.get(key) === undefined)
            throw new MetaRequestError('ERR_META_ABSENT', `key ${nameOf(key)} has no value`);
          await meta.set(key, undefined);
          return {};
        };
        return audited(options.log, context, { action: 'meta-delete', key }).of(remove());
      },
    ),
  };
}
