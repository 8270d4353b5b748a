/**
 * ava as the test command starts it. With `--tap` ava 8.0.1 ends in the middle of a failure whose error has no frames (those of
 * `fs.promises.rm` have none), and hides it: it can't write a field without a value as YAML. Such fields are left out here.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

type Yaml = { safeDump: (value: unknown, options?: { readonly skipInvalid?: boolean }) => string };

const ava = createRequire(import.meta.url).resolve('ava');
const yaml = createRequire(createRequire(ava).resolve('supertap'))('js-yaml') as Yaml;
const { safeDump } = yaml;
yaml.safeDump = (value) => safeDump(value, { skipInvalid: true });

await import(new URL('cli.js', pathToFileURL(ava)).href);
