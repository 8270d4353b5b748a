/**
 * ava as the test command starts it. With `--tap` ava 8.0.1 ends in the middle of a failure whose error has no frames (those of
 * `fs.promises.rm` have none), and hides it: it can't write a field without a value as YAML. Such fields are left out here. And it
 * says where in ava an assertion stands, not where in the test.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

type Yaml = { safeDump: (value: unknown, options?: { readonly skipInvalid?: boolean }) => string };
type Reporter = { readonly default: { readonly prototype: object } };

const ava = createRequire(import.meta.url).resolve('ava');
const inAva = (path: string): string => new URL(path, pathToFileURL(ava)).href;
const yaml = createRequire(createRequire(ava).resolve('supertap'))('js-yaml') as Yaml;
const { safeDump } = yaml;
yaml.safeDump = (value) => safeDump(value, { skipInvalid: true });

const { default: TapReporter } = (await import(inAva('../lib/reporters/tap.js'))) as Reporter;
// Who writes what a failure has at "at" takes the second line of this. An error may have anything as its stack.
Object.defineProperty(TapReporter.prototype, 'sanitizeStackOutput', {
  get: () => (stack: unknown) => `\nat ${places(String(stack)).join(', from ')}`,
  set: () => {},
});

await import(inAva('cli.js'));

/** Where in this project a failure comes from, the innermost place first; the innermost frame where none is of it. */
function places(stack: string): readonly string[] {
  const all = [...stack.matchAll(/^\s+at (.*)$/gm)].map(([, frame = '']) => frame);
  const root = `${pathToFileURL(process.cwd()).href}/`;
  const own = all.filter((frame) => frame.includes(root) && !frame.includes('/node_modules/'));
  return (own.length > 0 ? own : all.slice(0, 1)).map((frame) => frame.replace(root, ''));
}
