import { resolve } from 'node:path';

/** A URL as logs and messages may have it: without who asks, and without its query, where tokens are. */
export function shownUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) return text;
  return `${url.protocol}//${url.host}${url.pathname}${url.search === '' ? '' : '?…'}`;
}

/** Whether an image is fetched; else it is a file of this computer. */
export function isUrl(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text);
}

/** Looks at a URL of http or https. Who asks is not in it: a cluster's plan holds no password. What is wrong goes to `problems`. */
export function checkUrl(
  flag: string,
  text: string,
  problems: string[],
  expected = 'http://… or https://… is expected',
): void {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    problems.push(`${flag} ${shownUrl(text)}: ${expected}`);
  else if (url.username !== '' || url.password !== '')
    problems.push(
      `${flag} (with a user in it): a URL without one, as what is stored of a cluster holds no password`,
    );
}

/**
 * What a flag names that machines start from: a URL, or a file of this computer by its whole path, as who reads it later is in another
 * directory. What is wrong goes to `problems`.
 */
export function readSource(
  flag: string,
  text: string,
  problems: string[],
  expected = 'a path, or a URL of http or https',
): string {
  const named = text.replaceAll('${ARCH}', 'amd64');
  if (isUrl(named)) checkUrl(flag, named, problems, expected);
  else if (named === '') problems.push(`${flag}: ${expected}`);
  else return resolve(named);
  return named;
}
