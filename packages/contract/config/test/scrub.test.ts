import test from 'ava';

import { parse, scrubIntervalMs } from '@nodecore/config';
import { problemsOf } from './fixtures/problems.ts';

const day = 86_400_000;
const user = (more: string): string =>
  `apiVersion: v1alpha1\nkind: UserVolumeConfig\nname: data\nprovisioning: {diskSelector: {match: "true"}, minSize: 1GiB}\n${more}\n`;
const system = (name: string, more: string): string =>
  `apiVersion: v1alpha1\nkind: VolumeConfig\nname: ${name}\n${more}\n`;
const codes = (text: string): string[] => problemsOf(text).map(({ code, path }) => `${code} ${path}`);

test('what a volume says of its checks counts before what the document for all says', (t) => {
  const table = [
    [undefined, undefined, undefined],
    [undefined, day, day],
    [{ enabled: true }, undefined, 7 * day],
    [{ enabled: true }, day, day],
    [{ enabled: false }, day, undefined],
    [{ enabled: false, intervalMs: day }, day, undefined],
    [{ intervalMs: 2 * day }, day, 2 * day],
    [{ intervalMs: 2 * day }, undefined, 2 * day],
  ] as const;
  for (const [volume, global, wanted] of table)
    t.is(scrubIntervalMs(volume, global), wanted, JSON.stringify([volume, global]));
});

test('the block is read, and reported where it can have no effect', (t) => {
  using configuration = parse(user('scrub: {enabled: true, interval: 24h}'));
  t.deepEqual(configuration.all('UserVolumeConfig')[0]?.scrub, { enabled: true, intervalMs: day });
  for (const [text, wanted] of [
    [user('scrub: {interval: 5s}'), ['scrub.interval_short scrub.interval']],
    [user('scrub: {interval: 0s}'), ['scrub.interval_short scrub.interval']],
    [user('scrub: {interval: often}'), ['duration.invalid scrub.interval']],
    [user('filesystem: {type: btrfs}\nscrub: {}'), ['scrub.xfs_only scrub']],
    [user('filesystem: {type: ext4}\nscrub: {enabled: false}'), []],
    [system('EPHEMERAL', 'scrub: {interval: 24h}'), []],
    [system('STATE', 'scrub: {enabled: false}'), []],
    [system('IMAGECACHE', 'scrub: {enabled: true}'), ['image_cache.fixed scrub']],
    [system('LOG', 'scrub: {enabled: true}'), ['volume.directory scrub']],
    [user('volumeType: directory').replace(/provisioning.*\n/u, 'scrub: {}\n'), ['volume.directory scrub']],
  ] as const)
    t.deepEqual(codes(text), wanted, text);
});
