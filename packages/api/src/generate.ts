/**
 * Writes `gen/` from `proto/`: `node --conditions=source src/generate.ts [--check]`.
 * With --check nothing is written, and the exit code is 1 when something would be.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { messagePrelude, messageSource } from './generate/message.ts';
import { readSchema } from './generate/schema.ts';
import {
  requirementsSource,
  servicePrelude,
  serviceSource,
  serviceTypes,
  serviceTypesPrelude,
} from './generate/service.ts';
import { enumSource, enumTypes, messageTypes, messageTypesPrelude } from './generate/types.ts';

const header = '// Written by src/generate.ts from proto/; `npm run generate` writes it again.\n';

function generate(): ReadonlyMap<string, string> {
  const schema = readSchema('nodecore.v1', [
    'nodecore/v1/machine.proto',
    'nodecore/v1/resource.proto',
    'nodecore/v1/volume.proto',
  ]);
  const source = [
    header + messagePrelude,
    ...schema.enums.map(enumSource),
    ...schema.messages.map(messageSource),
    servicePrelude,
    ...schema.services.map(serviceSource),
    requirementsSource(schema.services),
  ].join('\n');
  const types = [
    `${header}import type { handleClientStreamingCall, handleServerStreamingCall, handleUnaryCall } from '@grpc/grpc-js';\n`,
    messageTypesPrelude,
    ...schema.enums.map(enumTypes),
    ...schema.messages.map(messageTypes),
    serviceTypesPrelude,
    ...schema.services.map(serviceTypes),
  ].join('\n');
  return new Map([
    ['nodecore-v1.js', source],
    ['nodecore-v1.d.ts', types],
  ]);
}

const directory = new URL('../gen/', import.meta.url);
const check = process.argv.includes('--check');
await mkdir(directory, { recursive: true });
for (const [name, text] of generate()) {
  const path = fileURLToPath(new URL(name, directory));
  const present = await readFile(path, 'utf8').catch(() => '');
  if (present === text) continue;
  if (check) {
    process.stderr.write(`gen/${name} is not what proto/ says: npm run generate\n`);
    process.exitCode = 1;
  } else {
    await writeFile(path, text);
    process.stdout.write(`wrote gen/${name}\n`);
  }
}
