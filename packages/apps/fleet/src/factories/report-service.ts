import type {
  ManagementServiceHandlers,
  SecurityReportRequest,
  SecurityReportResponseInit,
} from '@nodecore/fleet-api/protocol';

import { FleetError } from '../errors.ts';
import { type CallContext, type HandlerOptions, streaming } from '../server/handlers.ts';
import type { Factories } from './factories.ts';

/** Far below what a message may be. */
const piece = 256 * 1_024;

/** What is known of images, for callers. */
export function reportService(
  factories: Factories,
  options: HandlerOptions,
): Pick<ManagementServiceHandlers, 'securityReport'> {
  return {
    securityReport: streaming(
      options,
      async function* (
        request: SecurityReportRequest,
        { signal }: CallContext,
      ): AsyncGenerator<SecurityReportResponseInit> {
        const bytes = await factories.report(pathOf(request), signal);
        for (let at = 0; at < bytes.length; at += piece) yield { data: bytes.subarray(at, at + piece) };
      },
    ),
  };
}

/** Where a factory has each report. */
const places: Readonly<Record<string, (image: string, version: string) => string>> = {
  'scan.json': (image) => `scans/${image}/scan.json`,
  'scan.sarif': (image) => `scans/${image}/scan.sarif`,
  'scan.cdx': (image) => `scans/${image}/scan.cdx`,
  'upgrades.json': (image) => `scans/${image}/upgrades.json`,
  'spdx.json': (image) => `spdx/${image}`,
  'vex.json': (_image, version) => `vex/${version}/vex.json`,
};

/** What machines and callers say becomes part of an address: only what can not be anything else there. */
function pathOf({ schematic, osVersion, architecture, report }: SecurityReportRequest): string {
  if (!/^[0-9a-f]{64}$/.test(schematic)) throw wrong('schematic: must be 64 hexadecimal digits');
  if (!/^v\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[0-9A-Za-z.]{1,64})?$/.test(osVersion))
    throw wrong('os_version: must be a version as v1.14.0');
  if (!/^[a-z0-9]{1,16}$/.test(architecture)) throw wrong('architecture: must be one as amd64');
  const place = Object.hasOwn(places, report) ? places[report] : undefined;
  if (place === undefined) throw wrong(`report: must be one of ${Object.keys(places).join(', ')}`);
  return place(`${schematic}/${osVersion}/${architecture}`, osVersion);
}

function wrong(what: string): FleetError {
  return new FleetError('ERR_FLEET_REQUEST', what);
}
