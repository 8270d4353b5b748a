/**
 * Writes `gen/` of every package that has a `proto/`: `node --conditions=source src/generate.ts [--check]`.
 * With --check nothing is written, and the exit code is 1 when something would be.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { entrySource, entryTypes } from './generate/entry.ts';
import { messageSchemas } from './generate/json-schema.ts';
import { messagePrelude, messageSource } from './generate/message.ts';
import { isServed, readSchema, type Schema } from './generate/schema.ts';
import {
  requirementsSource,
  requirementsTypes,
  serviceImports,
  servicePrelude,
  serviceSource,
  serviceTypes,
  serviceTypesPrelude,
} from './generate/service.ts';
import { withRoleTable } from './generate/role-table.ts';
import { enumSource, enumTypes, messageTypes, messageTypesPrelude } from './generate/types.ts';

/** One proto package, and the package of ours that has it. */
type Target = {
  /** Below `packages/`; has `proto/`, gets `gen/`. */
  readonly directory: string;
  readonly protoPackage: string;
  /** Relative to `proto/`. */
  readonly files: readonly string[];
  /** Whether its methods say what they require of their callers (nodecore/v1/options.proto). */
  readonly requirements: boolean;
  /** Whether each of its files is an entry of the package, named as the file. */
  readonly entries: boolean;
};

const targets: readonly Target[] = [
  {
    directory: 'contract/api',
    protoPackage: 'nodecore.v1',
    files: [
      'nodecore/v1/capture.proto',
      'nodecore/v1/cgroup.proto',
      'nodecore/v1/container.proto',
      'nodecore/v1/event.proto',
      'nodecore/v1/file.proto',
      'nodecore/v1/inspect.proto',
      'nodecore/v1/kernel-log.proto',
      'nodecore/v1/kvstore.proto',
      'nodecore/v1/lifecycle.proto',
      'nodecore/v1/machine.proto',
      'nodecore/v1/process.proto',
      'nodecore/v1/resource.proto',
      'nodecore/v1/security.proto',
      'nodecore/v1/service.proto',
      'nodecore/v1/socket.proto',
      'nodecore/v1/stat.proto',
      'nodecore/v1/storage.proto',
      'nodecore/v1/time.proto',
      'nodecore/v1/trim.proto',
      'nodecore/v1/volume.proto',
    ],
    requirements: true,
    entries: true,
  },
  {
    directory: 'contract/fleet-api',
    protoPackage: 'nodecore.fleet.v1',
    files: [
      'nodecore/fleet/v1/auth.proto',
      'nodecore/fleet/v1/management.proto',
      'nodecore/fleet/v1/state.proto',
    ],
    requirements: false,
    entries: false,
  },
  {
    directory: 'storage/kms',
    protoPackage: 'sidero.kms',
    files: ['sidero/kms/kms.proto'],
    requirements: false,
    entries: false,
  },
  {
    directory: 'workload/kvstore',
    protoPackage: 'etcdserverpb',
    files: ['etcd/rpc.proto'],
    requirements: false,
    entries: false,
  },
  {
    directory: 'lab/clusters',
    protoPackage: 'nodecore.clusters.v1',
    files: ['nodecore/clusters/v1/remote-provision.proto'],
    requirements: false,
    entries: false,
  },
];

const packages = new URL('../../../', import.meta.url);
const header =
  '// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.\n';

/** The text of every generated file, by its name in `gen/`. */
function generate({ protoPackage, requirements }: Target, schema: Schema): ReadonlyMap<string, string> {
  const source = [
    header + messagePrelude,
    ...schema.enums.map(enumSource),
    ...schema.messages.map(messageSource),
    servicePrelude,
    ...schema.services.map(serviceSource),
    ...(requirements ? [requirementsSource(schema.services.filter(isServed))] : []),
  ].join('\n');
  const types = [
    header + serviceImports(schema.services),
    messageTypesPrelude,
    ...schema.enums.map(enumTypes),
    ...schema.messages.map(messageTypes),
    serviceTypesPrelude,
    ...(requirements ? [requirementsTypes] : []),
    ...schema.services.map(serviceTypes),
  ].join('\n');
  const name = protoPackage.replaceAll('.', '-');
  return new Map([
    [`${name}.js`, source],
    [`${name}.d.ts`, types],
    ...(requirements ? ([['messages.schema.json', messageSchemas(schema)]] as const) : []),
  ]);
}

/** The entries of a package: the contract of one service each, so that a new message is in no list that people keep. */
function entriesOf({ directory, protoPackage, files }: Target): ReadonlyMap<string, string> {
  const module = `${protoPackage.replaceAll('.', '-')}.js`;
  const protos = new URL(`${directory}/proto/`, packages);
  return new Map(
    files.flatMap((file) => {
      const schema = readSchema(protoPackage, [file], protos);
      const name = basename(file, '.proto');
      return [
        [`${name}.js`, header + entrySource(schema, module)],
        [`${name}.d.ts`, header + entryTypes(schema, module)],
      ];
    }),
  );
}

const check = process.argv.includes('--check');
const rolesPage = new URL('../docs/agent.md', packages);
for (const target of targets) {
  const { protoPackage, files } = target;
  const schema = readSchema(protoPackage, files, new URL(`${target.directory}/proto/`, packages));
  if (target.requirements) {
    const page = await readFile(rolesPage, 'utf8');
    await keep(rolesPage, 'docs/agent.md', page, withRoleTable(page, schema.services.filter(isServed)));
  }
  const directory = new URL(`${target.directory}/gen/`, packages);
  await mkdir(directory, { recursive: true });
  const entries = target.entries ? entriesOf(target) : [];
  for (const [name, text] of [...generate(target, schema), ...entries]) {
    const path = new URL(name, directory);
    await keep(
      path,
      `packages/${target.directory}/gen/${name}`,
      await readFile(path, 'utf8').catch(() => ''),
      text,
    );
  }
}

/** Writes the file when it is another one; with --check, says so. */
async function keep(path: URL, shown: string, present: string, text: string): Promise<void> {
  if (present === text) return;
  if (check) {
    process.stderr.write(`${shown} is not what proto/ says: npm run generate\n`);
    process.exitCode = 1;
  } else {
    await writeFile(path, text);
    process.stdout.write(`wrote ${shown}\n`);
  }
}
