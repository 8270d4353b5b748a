export {
  type Component,
  debianComponent,
  type DebianSource,
  genericComponent,
  npmComponent,
  type Subject,
  subjectOf,
} from './component.ts';
export type { Bill, Contents } from './documents/bill.ts';
export { licenseOfCopyright } from './documents/copyright.ts';
export { type DebianPackage, readDpkgStatus } from './documents/dpkg-status.ts';
export { cycloneDxType, formatCycloneDx } from './documents/cyclonedx.ts';
export { formatSpdx, readSpdx, spdxType } from './documents/spdx.ts';
export {
  formatVex,
  readVex,
  statementFor,
  type VexDocument,
  vexJustifications,
  type VexProduct,
  type VexStatement,
  vexStatuses,
} from './documents/vex.ts';
export { SbomError, type SbomErrorCode } from './errors.ts';
export { formatPurl, isPurlOf, parsePurl, type Purl } from './purl.ts';
export { cycloneDxReport } from './reports/cyclonedx.ts';
export { jsonReport } from './reports/json.ts';
export { sarifReport } from './reports/sarif.ts';
export { tableReport } from './reports/table.ts';
export { type UpgradeCandidate, upgradePath, type Upgrades, upgrades } from './reports/upgrade-paths.ts';
export { type Advisory, fixesOf, isAffected, type Range } from './vulnerabilities/advisory.ts';
export { buildDatabase, type DatabaseFacts, VulnerabilityDatabase } from './vulnerabilities/database.ts';
export { compareDebianVersions } from './vulnerabilities/debian-version.ts';
export { type AdvisoryList, readAdvisories } from './vulnerabilities/list.ts';
export { isZip, readZip, type ZipEntry } from './vulnerabilities/zip.ts';
export { compareNpmVersions } from './vulnerabilities/npm-version.ts';
export { type Finding, type Scan, scan, type Suppressed } from './vulnerabilities/scan.ts';
export { cvssScore, severities, type Severity, severityOfScore } from './vulnerabilities/severity.ts';
