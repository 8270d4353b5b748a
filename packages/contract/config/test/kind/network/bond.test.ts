import { tableOf } from '../table.ts';

const bond = (mode: string): string => `name: bond0\nlinks: [eth0, eth1]\nbondMode: ${mode}\n`;
const watched = `${bond('802.3ad')}miimon: 100\nupdelay: 200\ndowndelay: 200\n`;

tableOf('BondConfig', {
  reads: [
    [
      `${bond('active-backup')}miimon: 100\nprimary: eth1\nprimaryReselect: better\n`,
      { bondMode: 'active-backup', miimon: 100, primary: 'eth1', primaryReselect: 'better' },
    ],
  ],
  accepts: [
    `${watched}lacpRate: fast\nadActorSysPrio: 65535\nadUserPortKey: 1\nadLACPActive: "on"\n`,
    `${bond('balance-rr')}packetsPerSlave: 4\narpInterval: 100\narpIpTargets: [10.0.0.1]\n`,
    `${bond('balance-tlb')}tlbLogicalLb: 1\nxmitHashPolicy: layer3+4\n`,
    `${bond('balance-xor')}nsIp6Targets: ["fe80::1"]\narpValidate: filter-active\narpAllTargets: all\n`,
  ],
  refuses: [
    ['name: bond0\nbondMode: broadcast\n', 'required', 'links'],
    ['name: bond0\nlinks: §[]\nbondMode: broadcast\n', 'list.short', 'links'],
    ['name: bond0\nlinks: [eth0]\n', 'required', 'bondMode'],
    ['name: bond0\nlinks: [eth0]\nbondMode: §best\n', 'invalid_value', 'bondMode'],
    [`${bond('active-backup')}primary: §eth2\n`, 'bond.primary', 'primary'],
    [`${bond('active-backup')}primary: §""\n`, 'link_name.invalid', 'primary'],
    [`${bond('balance-rr')}primary: §eth0\n`, 'bond.mode', 'primary'],
    [`${bond('active-backup')}lacpRate: §slow\n`, 'bond.mode', 'lacpRate'],
    [`${bond('active-backup')}adActorSysPrio: §1\n`, 'bond.mode', 'adActorSysPrio'],
    [`${bond('active-backup')}adUserPortKey: §1\n`, 'bond.mode', 'adUserPortKey'],
    [`${bond('active-backup')}packetsPerSlave: §1\n`, 'bond.mode', 'packetsPerSlave'],
    [`${bond('active-backup')}tlbLogicalLb: §1\n`, 'bond.mode', 'tlbLogicalLb'],
    [`${bond('active-backup')}updelay: §100\n`, 'bond.delay', 'updelay'],
    [`${bond('active-backup')}miimon: 100\ndowndelay: §150\n`, 'bond.delay', 'downdelay'],
    [`${bond('active-backup')}miimon: 100\narpInterval: §100\n`, 'bond.monitoring', 'arpInterval'],
    [`${bond('balance-alb')}arpInterval: §100\n`, 'bond.mode', 'arpInterval'],
    [`${bond('active-backup')}arpIpTargets: [§"fd00::1"]\n`, 'bond.target', 'arpIpTargets[0]'],
    [`${bond('active-backup')}nsIp6Targets: [§10.0.0.1]\n`, 'bond.target', 'nsIp6Targets[0]'],
    [
      `${bond('active-backup')}arpIpTargets: §[${Array.from({ length: 17 }, (_, i) => `10.0.0.${i + 1}`).join(', ')}]\n`,
      'list.long',
      'arpIpTargets',
    ],
    [`${bond('active-backup')}missedMax: §256\n`, 'number.range', 'missedMax'],
  ],
  warns: [
    [`${bond('active-backup')}primaryReselect: §always\n`, 'bond.primary', 'primaryReselect'],
    [
      'name: bond0\nlinks: [eth0]\nmiimon: 100\nupdelay: 100\nbondMode: §802.3ad\n',
      'bond.unwatched',
      'bondMode',
    ],
  ],
});
