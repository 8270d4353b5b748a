/** Where a module of a bundle stands instead of where it was. */
export type ModulePlace = {
  /** What `import.meta.url` is. */
  readonly url: string;
  /** The path, as it is in the bundle, of a file that the module names by its own place. */
  readonly beside: (path: string) => string;
};

/** The text of a module that sees another place than its own, and names files beside it from there. */
export function inPlace(code: string, { url, beside }: ModulePlace): string {
  const base = JSON.stringify(url);
  return (
    code
      // What is left is a plain `require`, which is bundled and runs when it is first called, as before.
      .replace(/^const require = createRequire\(import\.meta\.url\);$/m, '')
      .replaceAll(
        /import\.meta\.resolve\('(\.[^']*)'\)/g,
        (_, path: string) => `new URL('${beside(path)}', ${base}).href`,
      )
      .replaceAll(
        /new URL\('(\.[^']*)', import\.meta\.url\)/g,
        (_, path: string) => `new URL('${beside(path)}', ${base})`,
      )
      .replaceAll('import.meta.url', base)
  );
}
