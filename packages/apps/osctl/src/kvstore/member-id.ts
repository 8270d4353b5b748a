import { InvalidArgumentError } from 'commander';

/** 16 hexadecimal digits, as etcd's own programs print a member's id. */
export function hexId(id: bigint): string {
  return id.toString(16).padStart(16, '0');
}

/** A member's id as it is typed. For arguments: throws commander's `InvalidArgumentError`. */
export function parseMemberId(text: string): bigint {
  if (/^[0-9a-f]{1,16}$/iu.test(text)) return BigInt(`0x${text}`);
  throw new InvalidArgumentError(
    'Expected up to 16 hexadecimal digits, as osctl kvstore members prints them.',
  );
}
