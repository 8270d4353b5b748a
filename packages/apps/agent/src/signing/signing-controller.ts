import { type Controller, lookAgain, type Outcome, waitFor } from '@nodecore/runtime';
import type { Json } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import type { Signal } from '@nodecore/waiting';

import type { Address } from '../address.ts';
import { kindOf } from '../resources/definitions.ts';
import { signerStatuses } from './definitions.ts';
import type { SigningAuthority } from './signer.ts';
import type { SigningServer } from './signing-server.ts';

const item = 'signer';
/** How often the age of its certificate is looked at. */
const lookMs = 60_000;
/** How long somebody else may have the port before it is tried again. */
const retryMs = 10_000;

export type SigningControllerParts = {
  /** What is signed with; a text says why nothing is; undefined on a node that has nothing to do with it. */
  readonly authority: () => SigningAuthority | string | undefined;
  readonly address: () => Address;
  readonly open: () => SigningServer;
  /** Fires when the authority may be another. */
  readonly changed: Pick<Signal, 'wait'>;
};

/** Keeps the port of the signer open on control planes, and closed elsewhere. */
export function signingController({ authority, address, open, changed }: SigningControllerParts): Controller {
  let server: SigningServer | undefined;
  let at: Address | undefined;
  const close = async (): Promise<void> => {
    const closing = server;
    [server, at] = [undefined, undefined];
    await closing?.[Symbol.asyncDispose]();
  };
  return {
    name: 'signer',
    inputs: [],
    outputs: [{ ...kindOf(signerStatuses), mode: 'exclusive' }],
    outside: async (wake, signal) => {
      try {
        for (;;) {
          wake(item);
          await changed.wait(signal);
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        await close();
      }
    },
    reconcile: async (_, access, signal): Promise<Outcome> => {
      const tell = (status?: Json): Promise<void> =>
        access.replace(kindOf(signerStatuses), new Map(status === undefined ? [] : [[item, status]]));
      const signing = authority();
      if (signing === undefined || typeof signing === 'string') {
        await close();
        await tell(signing === undefined ? undefined : { listening: false, reason: signing });
        return undefined;
      }
      const { port } = address();
      try {
        server ??= open();
        await server.show(signing);
        at ??= await server.listen(address());
      } catch (error) {
        await close();
        const code = codeOf(error);
        if (code === undefined) throw error;
        const reason = `port ${port}: ${code}`;
        await tell({ listening: false, port, reason });
        return waitFor(reason, { retryMs });
      }
      if (signal.aborted) return await close(); // its end came meanwhile, and found nothing to close
      await tell({ listening: true, port: at.port, reason: '' });
      return lookAgain(lookMs);
    },
  };
}
