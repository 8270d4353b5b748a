import { tableOf } from '../table.ts';

const rule = (text: string): string => `rules:\n  - '${text}'\n`;

tableOf('UdevRulesConfig', {
  reads: [
    [
      rule('SUBSYSTEM=="drm", KERNEL!="card*", GROUP="video", MODE:="0660"'),
      {
        rules: [
          {
            text: 'SUBSYSTEM=="drm", KERNEL!="card*", GROUP="video", MODE:="0660"',
            matches: [
              { key: 'SUBSYSTEM', equal: true, pattern: 'drm' },
              { key: 'KERNEL', equal: false, pattern: 'card*' },
            ],
            actions: [
              { key: 'GROUP', value: 'video' },
              { key: 'MODE', value: '0660' },
            ],
          },
        ],
      },
    ],
  ],
  accepts: [
    rule('ATTRS{idVendor}=="1d6b", SYMLINK+="serial/console %k"'),
    rule('SUBSYSTEM=="net", ATTR{address}=="00:11:22:33:44:55", NAME="lan0",'),
  ],
  refuses: [
    ['rules: §[]\n', 'list.short', 'rules'],
    ['rules:\n  - \'KERNEL=="a", §RUN+="/bin/sh"\'\n', 'udev.not_offered', 'rules[0]'],
    ['rules:\n  - \'KERNEL=="a", §PROGRAM=="x"\'\n', 'udev.not_offered', 'rules[0]'],
    ['rules:\n  - \'KERNEL=="a", §IMPORT{program}="x"\'\n', 'udev.not_offered', 'rules[0]'],
    ['rules:\n  - \'KERNEL=="a", §ENV{x}="y"\'\n', 'udev.not_offered', 'rules[0]'],
    ['rules:\n  - \'KERNEL=="a", §KERNEL="b"\'\n', 'udev.not_offered', 'rules[0]'],
    ['rules:\n  - \'KERNEL=="a", §MODE=="0660"\'\n', 'udev.operation', 'rules[0]'],
    ['rules:\n  - \'KERNEL=="a", §MODE="4755"\'\n', 'udev.value', 'rules[0]'],
    ['rules:\n  - \'KERNEL=="a", §SYMLINK+="../x"\'\n', 'udev.value', 'rules[0]'],
    ['rules:\n  - \'KERNEL=="a", §SYMLINK+="/dev/x"\'\n', 'udev.value', 'rules[0]'],
    ['rules:\n  - \'KERNEL=="a", §OWNER="a b"\'\n', 'udev.value', 'rules[0]'],
    ['rules:\n  - \'KERNEL=="a", §MODE=0660\'\n', 'udev.rule', 'rules[0]'],
    ['rules:\n  - §\'MODE="0660"\'\n', 'udev.match', 'rules[0]'],
    ['rules:\n  - §\'KERNEL=="a"\'\n', 'udev.action', 'rules[0]'],
    ['rules:\n  - §"KERNEL==\\"a\\"\\nMODE=\\"0660\\""\n', 'udev.rule', 'rules[0]'],
  ],
});
