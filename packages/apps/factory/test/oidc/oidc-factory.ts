import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { defaultAuthentication, type FactoryOptions } from '../../src/index.ts';
import type { OidcOptions } from '../../src/oidc/options.ts';
import { bearer, type Guarded, guardedFactory } from '../known-callers.ts';
import { ask, type Answered, type Running } from '../running-factory.ts';
import { SampleIssuer } from './sample-issuer.ts';

export type OidcFactory = {
  readonly issuer: SampleIssuer;
  readonly running: Guarded;
  /** Puts the clock of the factory forward. */
  readonly pass: (ms: number) => void;
};

/** A factory whose callers an issuer knows, and to which browsers log in. Both end with the test. */
export async function oidcFactory(
  t: ExecutionContext,
  oidc: Partial<OidcOptions> = {},
  others: Partial<FactoryOptions> = {},
): Promise<OidcFactory> {
  const issuer = await SampleIssuer.start(t);
  const secretPath = join(await temporaryDirectory(t), 'client.secret');
  await writeFile(secretPath, 'the-secret\n');
  let passedMs = 0;
  const running = await guardedFactory(t, {
    authentication: {
      ...defaultAuthentication,
      oidc: {
        issuer: issuer.url,
        audiences: ['factory'],
        subjectClaim: 'sub',
        client: { id: 'factory', secretPath, scopes: ['openid', 'email'] },
        ...oidc,
      },
    },
    now: () => new Date(Date.now() + passedMs),
    ...others,
  });
  return { issuer, running, pass: (ms) => void (passedMs += ms) };
}

/** Asks for something that takes a credential, and says what came of it. */
export async function statusBy(running: Running, token: string): Promise<number> {
  return (await ask(running, '/tokens', { headers: bearer(token) })).status;
}

export function bodyOf({ body }: Answered): string {
  return body.toString();
}
