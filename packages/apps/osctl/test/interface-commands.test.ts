import test from 'ava';

import { osctl } from './command-line.ts';

/** Every command of the interface, by its parent. */
const interfaceCommands: Readonly<Record<string, string>> = {
  '': `apply-config edit patch machineconfig validate bootstrap reboot reset upgrade rollback shutdown upgrade-orch service restart
    rotate-ca orchconfig get list read copy logs containers stats dmesg memory processes cgroups mounts disks time usage diskfree
    netstat pcap dashboard inspect health meta support debug kvstore image gen inject completion cluster remote-provision-launch
    conformance events version config`,
  machineconfig: 'gen patch',
  inspect: 'dependencies',
  meta: 'write delete',
  kvstore: 'alarm defrag downgrade forfeit-leadership leave members remove-member snapshot status',
  'kvstore alarm': 'list disarm',
  'kvstore downgrade': 'enable validate cancel',
  image: 'list pull remove default orch-bundle os-bundle cache-create cache-serve cache-cert-gen',
  gen: 'key keypair secrets secureboot ca config crt csr',
  'gen secureboot': 'database pcr uki',
  inject: 'serviceaccount',
  cluster: 'create',
  'cluster create': 'container vm dev',
};

/** The commands that a help text names, those that are absent too, without their aliases. */
function namedIn(help: string): ReadonlySet<string> {
  const [, listed = ''] = help.split('\nCommands:\n');
  const [list = ''] = listed.split('\n\n');
  const present = Array.from(list.matchAll(/^ {2}([\w-]+)/gmu), ([, name = '']) => name);
  const absent = Array.from(help.matchAll(/^Not in this version: (.+?);/gmu), ([, names = '']) => names);
  return new Set([...present, ...absent.flatMap((names) => names.split(', '))]);
}

test('help shows every command of the interface, and says which this version does not have and why', async (t) => {
  for (const [parent, names] of Object.entries(interfaceCommands)) {
    const { code, out } = await osctl([...parent.split(' ').filter(Boolean), '--help']);
    t.is(code, 0, parent);
    const named = namedIn(out);
    t.deepEqual(
      names.split(/\s+/u).filter((name) => !named.has(name)),
      [],
      parent,
    );
  }
  const { out } = await osctl(['--help']);
  t.regex(out, /^Not in this version: upgrade-orch, orchconfig, conformance; it runs no orchestrator\.$/mu);
});
