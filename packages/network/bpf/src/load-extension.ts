import type { Context } from './context.ts';
import { extension } from './extension.ts';
import { findAttribute, findNestedAttribute } from './netlink.ts';

/**
 * What a load from an extension gives; undefined when the program ends there, returning the accumulator, because the
 * packet has no interface.
 */
export function loadExtension(
  k: number,
  accumulator: number,
  x: number,
  bytes: Uint8Array,
  context: Context,
): number | undefined {
  switch (k) {
    case extension.protocol:
      return context.protocol ?? 0;
    case extension.packetType:
      return context.packetType ?? 0;
    case extension.interfaceIndex:
      return context.interfaceIndex;
    case extension.attribute:
      return findAttribute(bytes, accumulator >>> 0, x >>> 0);
    case extension.nestedAttribute:
      return findNestedAttribute(bytes, accumulator >>> 0, x >>> 0);
    case extension.mark:
      return context.mark ?? 0;
    case extension.queue:
      return context.queue ?? 0;
    case extension.hardwareType:
      return context.interfaceIndex === undefined ? undefined : (context.hardwareType ?? 0);
    case extension.receiveHash:
      return context.receiveHash ?? 0;
    case extension.cpu:
      return context.cpu ?? 0;
    case extension.xorX:
      return accumulator ^ x;
    case extension.vlanTag:
      return context.vlan?.tag ?? 0;
    case extension.vlanPresent:
      return context.vlan === undefined ? 0 : 1;
    case extension.payloadOffset:
      return context.payloadOffset ?? 0;
    case extension.random:
      return context.random ?? 0;
    case extension.vlanProtocol:
      return context.vlan === undefined ? 0 : (context.vlan.protocol ?? 0x8100);
    default:
      return undefined; // check.ts lets no other through
  }
}
