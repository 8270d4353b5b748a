import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { defaultAuthentication, type FactoryOptions } from '../src/index.ts';
import type { Scope } from '../src/tokens/scopes.ts';
import { SigningKeys } from '../src/tokens/signing-keys.ts';
import { bootstrapToken } from '../src/tokens/tokens.ts';
import { ask, type Answered, type Running, runningFactory } from './running-factory.ts';

/** A factory that asks for tokens, and the one that it begins with. */
export type Guarded = Running & { readonly bootstrap: string };

/** A factory that knows its callers by keys of Ed25519. Ends with the test. */
export async function guardedFactory(
  t: ExecutionContext,
  changes: Partial<FactoryOptions> = {},
): Promise<Guarded> {
  const key = join(await temporaryDirectory(t), 'token.key');
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', key], { stdio: 'ignore' });
  const given = changes.authentication ?? defaultAuthentication;
  const authentication = { ...given, keyPaths: given.keyPaths.length > 0 ? given.keyPaths : [key] };
  const running = await runningFactory(t, { ...changes, authentication });
  const { token } = await bootstrapToken({
    keys: await SigningKeys.load(authentication.keyPaths),
    lifetimes: authentication.lifetimes,
    subject: 'admin',
    ttl: undefined,
    now: (changes.now ?? (() => new Date()))(),
  });
  return { ...running, bootstrap: token };
}

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** Asks for a token. */
export async function request(
  running: Running,
  by: string,
  body: object | string,
): Promise<Answered & { readonly json: any }> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await ask(running, '/tokens', { method: 'POST', headers: bearer(by), body: text });
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  return { ...answer, json: isJson ? JSON.parse(answer.body.toString()) : undefined };
}

/** An ephemeral token of a subject with these scopes. */
export async function tokenOf(
  running: Guarded,
  subject: string,
  scopes: readonly Scope[],
  issuable: readonly Scope[] = [],
): Promise<string> {
  const { json } = await request(running, running.bootstrap, {
    subject,
    scopes,
    issuable_scopes: issuable,
    stored: false,
  });
  return json.token as string;
}

/** Submits a schematic for a token's subject. @returns its ID. */
export async function submitBy(running: Running, token: string, text = '{}'): Promise<string> {
  const { body } = await ask(running, '/schematics', { method: 'POST', headers: bearer(token), body: text });
  return JSON.parse(body.toString()).id as string;
}
