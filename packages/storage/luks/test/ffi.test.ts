import { join } from 'node:path';

import { koffi } from '@nodecore/sys';
import { output, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { TypeObject } from 'koffi';

import { crypt_active_device, crypt_params_luks2, crypt_pbkdf_type } from '../src/ffi.ts';

const structs: Readonly<Record<string, TypeObject>> = {
  crypt_active_device,
  crypt_params_luks2,
  crypt_pbkdf_type,
};

testWith(program('cc'))('structs are laid out as the C compiler lays them out', async (t) => {
  const names = Object.entries(structs).flatMap(([name, type]) => [
    { c: `sizeof(struct ${name})`, ours: koffi().sizeof(type) },
    ...Object.keys(type.members ?? {}).map((member) => ({
      c: `offsetof(struct ${name}, ${member})`,
      ours: koffi().offsetof(type, member),
    })),
  ]);
  const source = [
    '#include <libcryptsetup.h>',
    '#include <stddef.h>',
    '#include <stdio.h>',
    'int main(void) {',
    ...names.map(({ c }) => `  printf("%zu\\n", ${c});`),
    '}',
  ].join('\n');
  const binary = join(await temporaryDirectory(t), 'layout');
  await output(['cc', '-x', 'c', '-o', binary, '-'], { input: source });
  const theirs = (await output([binary])).trim().split('\n').map(Number);
  t.deepEqual(
    names.map(({ c, ours }) => `${c} = ${ours}`),
    names.map(({ c }, index) => `${c} = ${theirs[index]}`),
  );
  t.is(names.length, 22);
});
