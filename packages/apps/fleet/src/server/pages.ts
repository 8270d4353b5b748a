import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { FeatureLife } from '../feature.ts';
import type { Log } from '../log.ts';

type Page = (request: IncomingMessage, response: ServerResponse) => void;

/** Sends each request to the feature that has its path or the longest one above it. */
export function pagesServer(lives: readonly FeatureLife[], log: Log): RequestListener {
  const pages = new Map<string, Page>(lives.flatMap(({ pages: own = {} }) => Object.entries(own)));
  return (request, response) => {
    try {
      const page = pageOf(pages, request.url ?? '/');
      if (page === undefined) notFound(response);
      else page(request, response);
    } catch (error) {
      log.error({ err: error }, 'a page failed');
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end('internal error\n');
    }
  };
}

function pageOf(pages: ReadonlyMap<string, Page>, target: string): Page | undefined {
  const path = URL.parse(target, 'https://fleet.invalid')?.pathname ?? '/';
  for (let prefix = path; prefix !== ''; prefix = prefix.slice(0, prefix.lastIndexOf('/'))) {
    const page = pages.get(prefix);
    if (page !== undefined) return page;
  }
  return pages.get('/');
}

function notFound(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
  response.end('there is nothing here\n');
}
