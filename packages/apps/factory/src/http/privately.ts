import { FactoryError } from '../errors.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { Answer } from './answer.ts';
import { type Caller, isForAddresses } from './gate.ts';

/** What is for a caller is for no cache, and an address with a token is told to nobody else. */
export function privately(answer: Answer, caller: Caller | undefined): Answer {
  if (caller === undefined) return answer;
  return {
    ...answer,
    headers: {
      'referrer-policy': 'no-referrer',
      ...answer.headers,
      'cache-control': 'private, no-store',
    },
  };
}

/** What the addresses of a script end in: iPXE sends no headers. In place of what is given to nobody it is a token for minutes. */
export async function queryOf(caller: Caller | undefined, tokens: Tokens | undefined): Promise<string> {
  if (caller === undefined || tokens === undefined) return '';
  if (caller.text === undefined) {
    const request = { scopes: ['image:read'], issuableScopes: [], isStored: false, name: '' } as const;
    // Who asks may read images, and this is a part of that, whatever else it may pass on.
    const grantor = { ...caller.token, issuableScopes: request.scopes };
    return `?token=${(await tokens.issue(grantor, request)).token}`;
  }
  if (isForAddresses(caller)) return `?token=${encodeURIComponent(caller.text)}`;
  throw new FactoryError('ERR_FACTORY_SCOPE', 'a token that manages tokens is in no script', {
    needs: ['image:read'],
  });
}
