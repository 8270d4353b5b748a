import { AsyncLocalStorage } from 'node:async_hooks';

import { addressGroup } from '@nodecore/listener';

const client = new AsyncLocalStorage<string>();

/** Who a request counts for where clients share something: an identity wherever it asks from, or else an address. */
export function clientOf({
  subject,
  address,
}: {
  readonly subject: string;
  readonly address: string;
}): string {
  return subject === '' ? `address ${addressGroup(address)}` : `identity ${subject}`;
}

/** Does work, and all that it begins, for a client. */
export function forClient<T>(name: string, work: () => T): T {
  return client.run(name, work);
}

/** For whom work is done; empty for what nobody has asked for. */
export function currentClient(): string {
  return client.getStore() ?? '';
}
