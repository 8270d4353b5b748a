import { type Documents } from './documents.ts';

/** Reports instances of BGP that name others that are not there, or share a VRF. */
export function checkBgp(documents: Documents): void {
  const instances = documents.of('BGPInstanceConfig');
  const names = new Set(instances.map(({ value }) => value.name));
  const vrfs = new Set(documents.of('VRFConfig').map(({ value }) => value.name));
  const owners = new Map<string, string>();
  for (const { value, identity, at } of instances) {
    const { vrf } = value;
    if (vrf !== undefined && !vrfs.has(vrf)) at.at('vrf').problem('bgp.vrf', 'has no VRFConfig of this name');
    const owner = owners.get(vrf ?? '');
    if (owner !== undefined)
      at.at(vrf === undefined ? 'name' : 'vrf').problem('bgp.vrf', `is where ${owner} works already`);
    else owners.set(vrf ?? '', identity);
    for (const [index, { bgpInstance }] of (value.importRoutes ?? []).entries())
      if (!names.has(bgpInstance))
        at.at('importRoutes', index, 'bgpInstance').problem(
          'bgp.import',
          'has no BGPInstanceConfig of this name',
        );
  }
}
