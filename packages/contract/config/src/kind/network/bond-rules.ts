import { type Place } from '../../place.ts';

/** What a bond asks of its mode and of its other fields; checked on the typed value. */
export type BondValues = {
  readonly links: readonly string[];
  readonly bondMode: string;
  readonly [field: string]: unknown;
};

/** Fields that only some modes have (the kernel's bonding documentation). */
const modesOf: Readonly<Record<string, readonly string[]>> = {
  primary: ['active-backup', 'balance-tlb', 'balance-alb'],
  lacpRate: ['802.3ad'],
  adActorSysPrio: ['802.3ad'],
  adUserPortKey: ['802.3ad'],
  adSelect: ['802.3ad'],
  adLACPActive: ['802.3ad'],
  packetsPerSlave: ['balance-rr'],
  tlbLogicalLb: ['balance-tlb', 'balance-alb'],
};

const withoutArp: readonly string[] = ['802.3ad', 'balance-tlb', 'balance-alb'];

/** Rules of a bond over several of its fields. */
export function checkBond(bond: BondValues, at: Place): void {
  for (const [field, modes] of Object.entries(modesOf))
    if (bond[field] !== undefined && !modes.includes(bond.bondMode))
      at.at(field).problem('bond.mode', `is taken only with bondMode: ${modes.join(', ')}`);
  if (typeof bond['primary'] === 'string' && !bond.links.includes(bond['primary']))
    at.at('primary').problem('bond.primary', 'must be one of links');
  if (bond['primaryReselect'] !== undefined && bond['primary'] === undefined)
    at.at('primaryReselect').warning('bond.primary', 'has no effect without primary');
  checkMonitoring(bond, at);
}

function checkMonitoring(bond: BondValues, at: Place): void {
  const number = (field: string): number => (typeof bond[field] === 'number' ? bond[field] : 0);
  const [miimon, arpInterval] = [number('miimon'), number('arpInterval')];
  for (const field of ['updelay', 'downdelay']) {
    const delay = number(field);
    if (delay !== 0 && (miimon === 0 || delay % miimon !== 0))
      at.at(field).problem('bond.delay', 'must be a multiple of miimon, which must be there');
  }
  if (miimon !== 0 && arpInterval !== 0)
    at.at('arpInterval').problem('bond.monitoring', 'a bond watches its links by miimon or by ARP, not both');
  if (arpInterval !== 0 && withoutArp.includes(bond.bondMode))
    at.at('arpInterval').problem('bond.mode', `is not taken with bondMode: ${withoutArp.join(', ')}`);
  if (bond.bondMode === '802.3ad')
    for (const field of ['miimon', 'updelay', 'downdelay'])
      if (bond[field] === undefined)
        at.at('bondMode').warning('bond.unwatched', `802.3ad without ${field} notices a lost link late`);
}
