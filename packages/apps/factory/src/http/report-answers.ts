import { createHash } from 'node:crypto';

import {
  cycloneDxReport,
  cycloneDxType,
  jsonReport,
  sarifReport,
  type Scan,
  spdxType,
  tableReport,
} from '@nodecore/sbom';
import { architectures } from '@nodecore/schematic/release';
import { releaseVersion } from '@nodecore/sys/pure';

import { FactoryError } from '../errors.ts';
import type { Factory, Viewer } from '../factory.ts';
import type { Reported, Reports } from '../reports/reports.ts';
import { type Answer, textAnswer } from './answer.ts';
import { type Conditions, isKnown } from './conditions.ts';

type Format = { readonly type: string; readonly write: (scan: Scan, now: Date) => string };

/** How a scan is told, by what the name of the report ends in. */
const formats: ReadonlyMap<string, Format> = new Map([
  ['json', { type: 'application/json', write: (scan: Scan) => jsonReport(scan, releaseVersion) }],
  ['table', { type: 'text/plain; charset=utf-8', write: tableReport }],
  ['sarif', { type: 'application/sarif+json', write: (scan: Scan) => sarifReport(scan, releaseVersion) }],
  ['cdx', { type: cycloneDxType, write: cycloneDxReport }],
]);

/** The report that is no scan: what each newer release would change. */
const upgradesName = 'upgrades.json';

/** What a path has at its places. */
type Path = Readonly<Record<string, string>>;

/** A request for a report. */
export type ReportRequest = Conditions & {
  readonly path: Path;
  readonly viewer: Viewer | undefined;
};

/** Answers what images are made of. Whose the schematic is, is asked before anything that is kept is looked at. */
export class ReportAnswers {
  readonly #factory: Factory;
  readonly #reports: Reports;
  readonly #now: () => Date;

  constructor(factory: Factory, reports: Reports, now: () => Date) {
    this.#factory = factory;
    this.#reports = reports;
    this.#now = now;
  }

  /** Why no scan could be made now; undefined when one could, or none ever is. */
  get missing(): string | undefined {
    return this.#reports.isReady ? undefined : 'no list of vulnerabilities was read yet';
  }

  async spdx(request: ReportRequest): Promise<Answer> {
    const text = await this.#reports.spdx(await this.#reported(request));
    return reportAnswer(text, request, { type: spdxType, fileName: `${nameOf(request)}.spdx.json` });
  }

  async cycloneDx(request: ReportRequest): Promise<Answer> {
    const text = await this.#reports.cycloneDx(await this.#reported(request));
    return reportAnswer(text, request, { type: cycloneDxType, fileName: `${nameOf(request)}.cdx.json` });
  }

  async vex(request: ReportRequest): Promise<Answer> {
    const { version = '' } = request.path;
    const text = await this.#reports.vex(this.#factory.releases.get(version));
    return reportAnswer(text, request, { type: 'application/json', fileName: `${version}-vex.json` });
  }

  async scan(request: ReportRequest): Promise<Answer> {
    const reported = await this.#reported(request);
    const { report = '' } = request.path;
    const fileName = `${nameOf(request)}-${report}`;
    if (report === upgradesName) {
      const text = `${JSON.stringify(await this.#reports.upgrades(reported), undefined, 1)}\n`;
      return reportAnswer(text, request, { type: 'application/json', fileName });
    }
    const ending = /^[A-Za-z0-9._-]{1,64}\.([a-z]+)$/.exec(report)?.[1];
    const format = formats.get(ending ?? '');
    if (format === undefined)
      throw new FactoryError(
        'ERR_FACTORY_REQUEST',
        `a report is ${upgradesName}, or ends in .${[...formats.keys()].join(', .')}`,
      );
    const text = format.write(await this.#reports.scan(reported), this.#now());
    return reportAnswer(text, request, { type: format.type, fileName });
  }

  async #reported({ path, viewer }: ReportRequest): Promise<Reported> {
    const { schematic: id = '', version = '', arch = '' } = path;
    const schematic = await this.#factory.schematic(id, viewer);
    const release = this.#factory.releases.get(version);
    const architecture = architectures.find((each) => each === arch);
    if (architecture === undefined)
      throw new FactoryError(
        'ERR_FACTORY_REQUEST',
        `not an architecture: there are ${architectures.join(', ')}`,
      );
    release.assertFor(architecture);
    return { schematic, release, architecture };
  }
}

/** For a header: each of these was found to be what it must be. */
function nameOf({ path }: ReportRequest): string {
  const { schematic = '', version = '', arch = '' } = path;
  return `${schematic}-${version}-${arch}`;
}

/** What is true today may not be tomorrow: caches ask each time, and get a word when it is the same. */
function reportAnswer(
  text: string,
  request: ReportRequest,
  { type, fileName }: { readonly type: string; readonly fileName: string },
): Answer {
  const etag = `"${createHash('sha256').update(text).digest('hex')}"`;
  const headers = {
    etag,
    'content-type': type,
    'content-disposition': `attachment; filename="${fileName}"`,
    'cache-control': 'no-cache',
  };
  return isKnown(request, etag) ? { status: 304, headers } : textAnswer(200, text, headers);
}
