import { type Values } from '../kind/kinds.ts';
import { type Documents, type ReadDocument } from './documents.ts';

type Links = 'BondConfig' | 'BridgeConfig' | 'VRFConfig';

const addressed = [
  'LinkConfig',
  'DummyLinkConfig',
  'BondConfig',
  'BridgeConfig',
  'VLANConfig',
  'VRFConfig',
  'VethConfig',
  'WireguardConfig',
] as const;

/** Reports interfaces that two others take, VLANs and tables that are given twice, and addresses that two interfaces have. */
export function checkLinks(documents: Documents): void {
  const owners = new Owners();
  const masters: readonly ReadDocument<Values[Links]>[] = [
    ...documents.of('BondConfig'),
    ...documents.of('BridgeConfig'),
    ...documents.of('VRFConfig'),
  ];
  for (const { value, identity, at } of masters) {
    for (const [index, name] of (value.links ?? []).entries()) {
      const owner = owners.claim(`link ${name}`, identity);
      if (owner !== undefined) at.at('links', index).problem('link.taken', `is in ${owner} already`);
    }
  }
  for (const document of documents.of('VLANConfig')) {
    const { parent, vlanID } = document.value;
    const owner = owners.claim(`vlan ${parent} ${vlanID}`, document.identity);
    if (owner !== undefined)
      document.at.at('vlanID').problem('vlan.taken', `is the VLAN of ${owner} on the same interface`);
  }
  for (const document of documents.of('VRFConfig')) {
    const owner = owners.claim(`table ${document.value.table}`, document.identity);
    if (owner !== undefined) document.at.at('table').problem('vrf.table', `is the table of ${owner}`);
  }
  checkAddresses(documents);
}

function checkAddresses(documents: Documents): void {
  const owners = new Owners();
  for (const kind of addressed)
    for (const { identity, value, at } of documents.of(kind))
      for (const [index, { address }] of (value.addresses ?? []).entries()) {
        const owner = owners.claim(keyOf(address.address), identity);
        if (owner !== undefined)
          at.at('addresses', index, 'address').problem('link.address_taken', `is an address of ${owner}`);
      }
  for (const kind of ['Layer2VIPConfig', 'HCloudVIPConfig'] as const)
    for (const { value, at } of documents.of(kind)) {
      const owner = owners.of(keyOf(value.name));
      if (owner !== undefined)
        at.at('name').problem('vip.static', `is an address that ${owner} gives this node for good`);
    }
}

function keyOf({ family, value }: { readonly family: string; readonly value: bigint }): string {
  return `${family} ${value}`;
}

/** Who was first. */
class Owners {
  readonly #owners = new Map<string, string>();

  /** The owner of a thing that somebody else has; otherwise it is `who`'s from now on. */
  claim(thing: string, who: string): string | undefined {
    const owner = this.#owners.get(thing);
    if (owner === undefined) this.#owners.set(thing, who);
    return owner === who ? undefined : owner;
  }

  of(thing: string): string | undefined {
    return this.#owners.get(thing);
  }
}
