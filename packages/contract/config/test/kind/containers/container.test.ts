import { tableOf } from '../table.ts';

const pinned = `registry.example/a@sha256:${'0'.repeat(64)}`;
const head = `name: a\nimage: ${pinned}\n`;

tableOf('ContainerConfig', {
  reads: [
    [head, { name: 'a', image: pinned }],
    [
      `${head}resources: {limits: {cpu: 1500m, memory: 64MiB}}\n`,
      { resources: { limits: { cpu: 1500, memory: 64n << 20n } } },
    ],
    [`${head}resources: {limits: {cpu: 1.5}}\n`, { resources: { limits: { cpu: 1500 } } }],
    [
      `${head}security: {capabilities: {add: [NET_ADMIN], drop: [ALL]}}\nnetwork: {mode: host}\n`,
      { security: { profile: 'restricted', capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] } } },
    ],
  ],
  accepts: [
    `${head}entrypoint: [/bin/a, ""]\nargs: [--x]\nworkingDir: /\nrunAs: {uid: 0, gid: 5}\nenvironment: [A=b, "C="]\n`,
    `${head}mounts: [{userVolume: {name: data, destination: /data, options: [rw, noexec]}}, {tmpfs: {destination: /tmp, size: 1MiB}}, {hostPath: {source: /var/log, destination: /log}}]\n`,
    `${head}dependsOn: {paths: [/a/b], networks: [addresses, hostname], time: true, containers: [b]}\n`,
  ],
  refuses: [
    [`name: §A\nimage: ${pinned}\n`, 'name.characters', 'name'],
    ['name: a\nimage: §"UPPER/case"\n', 'image.reference', 'image'],
    ['name: a\nimage: §"a b"\n', 'image.reference', 'image'],
    ['name: a\n', 'required', 'image'],
    [`${head}workingDir: §a\n`, 'path.absolute', 'workingDir'],
    [`${head}runAs: {uid: §-1}\n`, 'number.range', 'runAs.uid'],
    [`${head}environment: [§A]\n`, 'environment.entry', 'environment[0]'],
    [`${head}environment: [§"1A=b"]\n`, 'environment.entry', 'environment[0]'],
    [`${head}mounts: [§{}]\n`, 'fields.one_of', 'mounts[0]'],
    [
      `${head}mounts: [{tmpfs: {destination: /a}, hostPath: §{source: /b, destination: /b}}]\n`,
      'fields.one_of',
      'mounts[0].hostPath',
    ],
    [`${head}mounts: [{tmpfs: {destination: §a}}]\n`, 'path.absolute', 'mounts[0].tmpfs.destination'],
    [`${head}mounts: [{tmpfs: {destination: §/a/../b}}]\n`, 'path.absolute', 'mounts[0].tmpfs.destination'],
    [`${head}mounts: [{tmpfs: {destination: §/}}]\n`, 'container.root', 'mounts[0].tmpfs.destination'],
    [
      `${head}mounts: [{tmpfs: {destination: /a}}, {tmpfs: {destination: §/a}}]\n`,
      'container.destination',
      'mounts[1].tmpfs.destination',
    ],
    [
      `${head}mounts: [{tmpfs: {destination: /a, options: §[ro, rw]}}]\n`,
      'container.options',
      'mounts[0].tmpfs.options',
    ],
    [`${head}mounts: [{tmpfs: {destination: /a, size: §-1}}]\n`, 'size.bytes', 'mounts[0].tmpfs.size'],
    [`${head}mounts: [{tmpfs: {destination: /a, size: §50%}}]\n`, 'size.bytes', 'mounts[0].tmpfs.size'],
    ...['/', '/proc', '/proc/1', '/sys/fs', '/dev/sda', '/system/state', '/run/nodeos'].map(
      (source) =>
        [
          `${head}mounts: [{hostPath: {source: §${source}, destination: /a}}]\n`,
          'container.host_path',
          'mounts[0].hostPath.source',
        ] as const,
    ),
    [
      `${head}mounts: [{hostPath: {source: §/a/../proc, destination: /a}}]\n`,
      'path.absolute',
      'mounts[0].hostPath.source',
    ],
    [`${head}security: {capabilities: {add: [§ALL]}}\n`, 'invalid_value', 'security.capabilities.add[0]'],
    [
      `${head}security: {capabilities: {add: [§CAP_NET_ADMIN]}}\n`,
      'invalid_value',
      'security.capabilities.add[0]',
    ],
    [
      `${head}security: {capabilities: {add: [KILL], drop: [§KILL]}}\n`,
      'container.capability',
      'security.capabilities.drop[0]',
    ],
    [`${head}security: {profile: §open}\n`, 'invalid_value', 'security.profile'],
    [`${head}network: {mode: §bridge}\n`, 'invalid_value', 'network.mode'],
    [`${head}resources: {limits: {cpu: §0}}\n`, 'quantity.cpu', 'resources.limits.cpu'],
    [`${head}resources: {limits: {cpu: §1x}}\n`, 'quantity.cpu', 'resources.limits.cpu'],
    [`${head}dependsOn: {containers: [§a]}\n`, 'container.itself', 'dependsOn.containers[0]'],
  ],
  warns: [['name: a\nimage: §registry.example/a:1\n', 'container.unpinned', 'image']],
});

tableOf('ExtensionServiceConfig', {
  reads: [
    [
      'name: nut\nconfigFiles: [{content: "a\\n", mountPath: /etc/a}]\n',
      { configFiles: [{ content: 'a\n', mountPath: '/etc/a' }] },
    ],
  ],
  accepts: ['name: nut\nenvironment: [A=b]\n'],
  refuses: [
    ['name: nut\n', 'fields.at_least_one', ''],
    ['name: nut\nconfigFiles: [{content: §"", mountPath: /a}]\n', 'text.empty', 'configFiles[0].content'],
    ['name: nut\nconfigFiles: [{content: a, mountPath: §a}]\n', 'path.absolute', 'configFiles[0].mountPath'],
    [
      'name: nut\nconfigFiles: [{content: a, mountPath: /a}, {content: b, mountPath: §/a}]\n',
      'list.duplicate',
      'configFiles[1].mountPath',
    ],
    ['name: nut\nenvironment: [§A]\n', 'environment.entry', 'environment[0]'],
  ],
});
