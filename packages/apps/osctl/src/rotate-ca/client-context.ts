import { editOsconfig } from '@nodecore/api';
import { Secret } from '@nodecore/sys';

import { bundle } from './certificates.ts';
import type { Replacement, Step } from './replacement.ts';
import type { Pair } from './rotation-file.ts';

export type ClientContext = {
  /** Where the client config is. */
  readonly osconfig: {
    readonly flag: string | undefined;
    readonly env: Readonly<Record<string, string | undefined>>;
  };
  readonly context: string;
  readonly os: Replacement;
  /** What is shown from the second step on. */
  readonly next: Pair;
  /** Whom the context believes at the end, when that is more than the new authority. */
  readonly ca: string | undefined;
};

/** Has the client config follow a step; whoever uses it meanwhile is let in by every node before and after. */
export async function saveClient(step: Step, client: ClientContext): Promise<void> {
  const { context, os, next, ca = os.next.crt } = client;
  using secret = Secret.take(Buffer.from(next.key));
  await editOsconfig(client.osconfig, ({ osconfig }) => {
    osconfig.setCredentials(context, {
      ca: step === 'drop' ? ca : bundle(os.next.crt, os.former),
      // In a run that goes on, nodes may not let the former in any more: what is shown is left as it is.
      ...(step !== 'accept' && { crt: next.crt, key: secret }),
    });
  });
}
