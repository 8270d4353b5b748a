import { tableOf } from '../table.ts';

tableOf('FilesystemScrubConfig', {
  reads: [['interval: 10s\n', { interval: { text: '10s', ms: 10_000 } }]],
  refuses: [
    ['interval: §9s\n', 'duration.range', 'interval'],
    ['interval: §0\n', 'duration.range', 'interval'],
  ],
});

tableOf('ZswapConfig', {
  reads: [['maxPoolPercent: 0\n', { maxPoolPercent: 0 }]],
  accepts: ['maxPoolPercent: 100\nshrinkerEnabled: false\n'],
  refuses: [
    ['maxPoolPercent: §101\n', 'number.range', 'maxPoolPercent'],
    ['maxPoolPercent: §-1\n', 'number.range', 'maxPoolPercent'],
    ['shrinkerEnabled: §"true"\n', 'wrong_type', 'shrinkerEnabled'],
  ],
});
