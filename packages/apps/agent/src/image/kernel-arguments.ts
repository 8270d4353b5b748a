import { isIgnoredArgument, kernelArgument } from '@nodecore/config/kernel-arguments';
/** What the kernel's command line says, by name; of a name that comes twice the last one, as the kernel does. */
export function kernelArguments(line: string): ReadonlyMap<string, string> {
  return new Map(
    kernelWords(line).map((word) => {
      const [name = '', ...value] = word.split('=');
      return [name, unquoted(value.join('='))] as const;
    }),
  );
}

/** All values of a name that may come more than once, in their order. */
export function kernelArgumentValues(line: string, name: string): readonly string[] {
  return kernelWords(line)
    .filter((word) => word.startsWith(`${name}=`))
    .map((word) => unquoted(word.slice(name.length + 1)));
}

/** Names of arguments that are meant for a node, and that this version does not act on: each once. */
export function ignoredArguments(line: string): readonly string[] {
  return [...kernelArguments(line).keys()].filter(isIgnoredArgument);
}

/** Arguments that hold a whole configuration, keys included. */
const wholeConfigurations: ReadonlySet<string> = new Set([
  kernelArgument.configInline,
  kernelArgument.configEarly,
]);

/**
 * The command line without what must not be shown: configurations, what follows the `?` of a URL, who logs in to it, and every
 * token. For resources, support files and wherever readers look.
 */
export function redactedArguments(line: string): string {
  return kernelWords(line).map(redactedWord).join(' ');
}

function redactedWord(word: string): string {
  const [name = '', ...rest] = word.split('=');
  if (rest.length === 0) return word;
  if (wholeConfigurations.has(name) || /token|secret|password/iu.test(name)) return `${name}=<redacted>`;
  // A proxy has a password, and a program a key.
  if (name === kernelArgument.environment) return `${name}=${rest[0] ?? ''}=<redacted>`;
  return `${name}=${redactedUrls(rest.join('='))}`;
}

/** A text without what follows the `?` of a URL in it, who logs in to one, and join tokens. */
export function redactedUrls(text: string): string {
  return text
    .replace(/(\w+:\/\/)[^/?#\s"]*@/gu, '$1<redacted>@')
    .replace(/(\w+:\/\/[^?\s"]*\?)[^\s"]*/gu, '$1<redacted>')
    .replaceAll(/(jointoken=)[^&\s"]*/giu, '$1<redacted>');
}

/** The words of a command line: split at blanks, but for those between double quotes. GRUB writes `a="b c"` as `"a=b c"`, and the kernel takes both. */
export function kernelWords(line: string): string[] {
  const words = line.trim().match(/(?:[^\s"]|"[^"]*")+/gu) ?? [];
  return words.map((word) => word.replace(/^"([^"=]+=)([^"]*)"$/u, '$1"$2"'));
}

function unquoted(value: string): string {
  return value.replaceAll('"', '');
}
