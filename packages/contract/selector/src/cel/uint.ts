import { Failure } from './failure.ts';

/** 2^64 - 1: a `uint` has 64 bits. */
export const maxUint: bigint = (1n << 64n) - 1n;

/** A `uint` of CEL. */
export class Uint {
  readonly value: bigint;

  /** @throws {Failure} when it has a sign or more than 64 bits. */
  constructor(value: bigint | number) {
    this.value = BigInt(value);
    if (this.value < 0n || this.value > maxUint) throw new Failure('unsigned integer overflow');
  }
}
