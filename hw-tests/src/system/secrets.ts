import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { parseAllDocuments } from 'yaml';

/** Something that must be nowhere but where it belongs. */
export type Secret = {
  /** Where it comes from, for a report; never itself. */
  readonly name: string;
  /** Texts that it has in files; each is long enough that nothing else has it. */
  readonly forms: readonly string[];
};

/** Fields of configurations and client configs whose values are secrets. */
const secretFields = /^(?:key|token|secret|passphrase|password)$/i;
const shortest = 16;

/** Every secret of a YAML text, by the path of its field. Keys are PEM in base64: the key inside counts as well. */
export function secretsInYaml(name: string, yaml: string): Secret[] {
  const found: Secret[] = [];
  const look = (value: unknown, path: readonly string[]): void => {
    if (typeof value === 'string') {
      if (secretFields.test(path.at(-1) ?? '') && value.length >= shortest)
        found.push({ name: `${name} ${path.join('.')}`, forms: formsOf(value) });
    } else if (typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value)) look(each, [...path, key]);
  };
  for (const document of parseAllDocuments(yaml)) look(document.toJS(), []);
  return found;
}

/** A key in a file of its own: PEM, or a text in one line. */
export function secretInFile(name: string, content: string): Secret {
  return { name, forms: formsOf(content.trim()) };
}

function formsOf(value: string): string[] {
  const forms = new Set<string>();
  const add = (form: string): void => {
    const lines = form.trim().split('\n');
    // What stands around a key is in every key; a line of its text is in none but this one.
    const own = lines.length === 1 ? lines : lines.filter((line) => !line.includes('-----'));
    for (const line of own) if (line.length >= shortest && lines.length > 1) forms.add(line.trim());
    if (lines.length === 1) forms.add(form.trim());
    const body = own.join('');
    forms.add(Buffer.from(body, 'base64').toString('hex'));
  };
  add(value);
  const inside = Buffer.from(value, 'base64').toString('latin1');
  if (inside.startsWith('-----BEGIN')) add(inside);
  return [...forms].filter((form) => form.length >= shortest);
}

/**
 * Where any of the secrets stands in files and directories, as `name in file`; empty: nowhere. Holes of disks are not read, and a
 * disk may be in use.
 */
export async function whereSecretsStand(
  secrets: readonly Secret[],
  places: readonly string[],
): Promise<readonly string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
  try {
    const needles = join(directory, 'needles'); // never on a command line
    const forms = secrets.flatMap((secret) => secret.forms);
    await writeFile(needles, `${forms.join('\n')}\n`, { mode: 0o600 });
    const found: string[] = [];
    if ((await formsIn(places, needles)).size === 0) return found;
    for (const place of places)
      for (const file of await filesBelow(place)) {
        const seen = await formsIn([file], needles);
        for (const { name, forms: own } of secrets)
          if (own.some((form) => seen.has(form))) found.push(`${name} in ${file}`);
      }
    return found;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The patterns that stand in files. tar knows where they have holes, and takes them out. */
async function formsIn(files: readonly string[], needles: string): Promise<ReadonlySet<string>> {
  // Zeros end a line: a disk has few line feeds, and many zeros.
  const grep = spawn(
    'grep',
    ['--null-data', '--text', '--only-matching', '--fixed-strings', '--file', needles],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, LC_ALL: 'C' },
    },
  );
  const said = text(grep.stdout);
  const tar = spawn(
    'tar',
    [
      '--create',
      '--sparse',
      '--absolute-names',
      '--warning=no-file-changed',
      '--warning=no-file-ignored',
      ...files,
    ],
    {
      stdio: ['ignore', grep.stdin, 'inherit'],
    },
  );
  const [grepEnded, tarEnded] = [once(grep, 'exit'), once(tar, 'exit')];
  grep.stdin.destroy(); // tar has it
  const [tarCode] = await tarEnded;
  const [code] = await grepEnded;
  if (tarCode !== 0 && tarCode !== 1) throw new Error(`tar ended with ${tarCode}`); // 1: a file has changed
  if (code !== 0 && code !== 1) throw new Error(`grep ended with ${code}`); // 1: nothing was found
  return new Set((await said).split('\0').filter((form) => form !== ''));
}

async function filesBelow(place: string): Promise<readonly string[]> {
  if (!(await stat(place)).isDirectory()) return [place];
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** Which of the secrets stand in texts, such as the arguments of processes; as `name in text's name`. */
export function secretsInTexts(secrets: readonly Secret[], texts: ReadonlyMap<string, string>): string[] {
  return secrets.flatMap(({ name, forms }) =>
    [...texts].flatMap(([where, content]) =>
      forms.some((form) => content.includes(form)) ? [`${name} in ${where}`] : [],
    ),
  );
}

/** All files that match a pattern, read as secrets of the kind that they are. */
export async function secretsOfFiles(patterns: readonly string[]): Promise<Secret[]> {
  const found: Secret[] = [];
  for await (const path of glob([...patterns])) {
    const content = await readFile(path, 'utf8');
    if (/\.(?:key|pem)$/.test(path)) found.push(secretInFile(path, content));
    else found.push(...secretsInYaml(path, content));
  }
  return found;
}
