import type { KeySpec, KeySpecOf } from '../src/index.ts';
import { Secret } from '@nodecore/sys';

export function staticKey(slot: number, passphrase: string): KeySpecOf<'static'> {
  return { slot, kind: 'static', passphrase: Secret.copy(Buffer.from(passphrase)) };
}

export function tpmKey(slot: number, pcrs: readonly number[] = [7]): KeySpecOf<'tpm'> {
  return { slot, kind: 'tpm', pcrs, checkSecurebootStatusOnEnroll: false };
}

export function kmsKey(slot: number, endpoint = 'grpc://kms:4050'): KeySpecOf<'kms'> {
  return { slot, kind: 'kms', endpoint };
}

export function nodeKey(slot: number): KeySpecOf<'nodeID'> {
  return { slot, kind: 'nodeID' };
}

export function locked<T extends KeySpec>(spec: T): T {
  return { ...spec, lockToState: true };
}
