import { decodeSpec, listAll } from '@nodecore/api';
import { parseDuration, print, printFound, readFormat, Table, type Terminal } from '@nodecore/cli';
import { type FleetClient, joinTokens, type JoinTokenSpec } from '@nodecore/fleet-api';

import type { GlobalFlags } from '../flags.ts';
import { openFleet } from '../session.ts';

type Token = JoinTokenSpec & { readonly id: string; readonly status: 'ACTIVE' | 'REVOKED' | 'EXPIRED' };

/** Makes a token; prints its join URL. */
export async function createToken(
  flags: GlobalFlags,
  name: string,
  ttl: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const lifetimeMillis = ttl === undefined ? 0n : BigInt(parseDuration(ttl));
  const { client } = await openFleet(flags, terminal);
  using _client = client;
  const { joinUrl } = await client.createJoinToken({ name, lifetimeMillis }, { signal: terminal.signal });
  await print(terminal.out, `${joinUrl}\n`);
}

/** Prints the tokens and whether machines may join by them. */
export async function listTokens(flags: GlobalFlags, output: string, terminal: Terminal): Promise<void> {
  const format = await readFormat(output);
  const { client } = await openFleet(flags, terminal);
  using _client = client;
  const tokens = await tokensOf(client, terminal.signal);
  await printFound(terminal, format, tokens, {
    single: false,
    text: () =>
      new Table(['id', 'name', 'status', 'expires']).format(
        tokens.map(({ id, name, status, expirationTime }) => [id, name, status, expirationTime ?? 'never']),
      ),
  });
}

/** Revokes a token by itself or by its name. */
export async function revokeToken(flags: GlobalFlags, named: string, terminal: Terminal): Promise<void> {
  const { client } = await openFleet(flags, terminal);
  using _client = client;
  await client.revokeJoinToken(await idOf(client, named, terminal.signal), { signal: terminal.signal });
}

/** Prints one of the forms in which a machine is told of the fleet. */
export async function printJoinConfig(
  flags: GlobalFlags,
  named: string | undefined,
  form: 'machine-config' | 'fleet-endpoint' | 'kernel-args',
  terminal: Terminal,
): Promise<void> {
  const { client } = await openFleet(flags, terminal);
  using _client = client;
  const { signal } = terminal;
  const tokenId = named === undefined ? '' : await idOf(client, named, signal);
  const { joinUrl, config, kernelArgs } = await client.machineJoinConfig({ tokenId }, { signal });
  const text = {
    'machine-config': config,
    'fleet-endpoint': `${joinUrl}\n`,
    'kernel-args': `${kernelArgs.join(' ')}\n`,
  };
  await print(terminal.out, text[form]);
}

async function idOf(client: FleetClient, named: string, signal: AbortSignal): Promise<string> {
  const tokens = await tokensOf(client, signal);
  return tokens.find(({ name }) => name === named)?.id ?? named;
}

async function tokensOf(client: FleetClient, signal: AbortSignal): Promise<readonly Token[]> {
  const { type, defaultNamespace: namespace } = joinTokens;
  const { resources } = await listAll(client, { type, namespace }, { signal });
  return resources.map(({ metadata, spec }) => {
    const token = decodeSpec(spec) as JoinTokenSpec;
    const ends = token.expirationTime === undefined ? Infinity : Date.parse(token.expirationTime);
    const status = token.revoked ? 'REVOKED' : Date.now() < ends ? 'ACTIVE' : 'EXPIRED';
    return { id: metadata?.id ?? '', ...token, status };
  });
}
