// Prints the SHA-256 of images of schematics by one factory, as JSON: node image-digests.ts OPTIONS, which is JSON, too. With `now` in
// them the clock of the process stands there.
import { createHash } from 'node:crypto';
import { mock } from 'node:test';

import { type FactoryOptions, startFactory } from '../src/index.ts';

type Options = FactoryOptions & {
  readonly schematics: readonly string[];
  readonly paths: readonly string[];
  readonly now?: number;
  readonly umask: number;
};

const { schematics, paths, now, umask, ...options } = JSON.parse(process.argv[2] ?? '') as Options;
if (now !== undefined) mock.timers.enable({ apis: ['Date'], now });
process.umask(umask);
const factory = await startFactory(options);
const { host, port } = factory.address;
const url = `http://${host}:${port}`;
const digests: Record<string, string> = {};
for (const [index, body] of schematics.entries()) {
  const { id } = (await (await fetch(`${url}/schematics`, { method: 'POST', body })).json()) as {
    id: string;
  };
  for (const path of paths) {
    const answer = await fetch(`${url}/image/${id}/${path}`);
    if (!answer.ok || answer.body === null)
      throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    const hash = createHash('sha256');
    for await (const chunk of answer.body) hash.update(chunk);
    digests[`${index} ${path}`] = hash.digest('hex');
  }
}
await factory.close();
process.stdout.write(JSON.stringify(digests));
