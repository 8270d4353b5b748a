// Opens a state with keys and closes it: seals what is to be sealed.
import { readFileSync } from 'node:fs';

import { Secret } from '@nodecore/sys';

import { sqliteState } from '../src/sqlite/index.ts';

const [, , path = '', type = '', ...keyFiles] = process.argv;
const keys = keyFiles.map((file) => Secret.take(readFileSync(file)));
const state = await sqliteState(path, { sealing: { keys, types: [type] } });
process.stdout.write('open\n');
await state[Symbol.asyncDispose]();
