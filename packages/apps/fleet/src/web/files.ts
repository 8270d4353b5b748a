import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { codeOf } from '@nodecore/sys';

import { answer, safeHeaders } from './headers.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** Where `npm run build:ui` puts the page: the same place seen from the sources and from what is built of them. */
const built = fileURLToPath(new URL('../../dist/ui/', import.meta.url));

/** The files of the page. They are few, and all in memory: no path of a request ever reaches a file system. */
export class PageFiles {
  readonly #byPath: ReadonlyMap<string, Buffer>;

  private constructor(byPath: ReadonlyMap<string, Buffer>) {
    this.#byPath = byPath;
  }

  /** Reads what was built; where nothing was, the page says so. */
  static async load(directory: string = built): Promise<PageFiles> {
    try {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      const files = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
      const read = files.map(
        async (file) => [`/${relative(directory, file)}`, await readFile(file)] as const,
      );
      return new PageFiles(new Map(await Promise.all(read)));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return new PageFiles(new Map());
      throw error;
    }
  }

  /** Answers with a file, or with the page where the path is none. */
  answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return answer(response, 405, 'GET', { allow: 'GET, HEAD' });
    const path = URL.parse(request.url ?? '/', 'https://fleet.invalid')?.pathname ?? '/';
    const asset = this.#byPath.get(path);
    if (asset === undefined && path.startsWith('/assets/'))
      return answer(response, 404, 'there is nothing here');
    const content = asset ?? this.#byPath.get('/index.html');
    if (content === undefined) return answer(response, 503, 'the page is not built: npm run build:ui');
    const name = asset === undefined ? '.html' : extname(path);
    // The names of assets have digests of their content.
    const cache = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    response.writeHead(200, {
      ...safeHeaders,
      'content-type': types[name] ?? 'application/octet-stream',
      'content-length': content.length,
      'cache-control': cache,
    });
    response.end(request.method === 'HEAD' ? undefined : content);
  }
}
