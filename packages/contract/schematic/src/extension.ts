/**
 * Extensions of the node OS: what their manifest says, and what may be in their files.
 *
 * @example
 * const { metadata } = parseExtensionManifest(await readFile('manifest.yaml', 'utf8'));
 * const problems = layerProblems(filesOf('rootfs'), baseFiles);
 * if (problems.length > 0) throw new Error(`${metadata.name}: ${problems.join('; ')}`);
 *
 * @module
 */
export { allowedPaths } from './extension/allowed-paths.ts';
export { type BaseFiles, type LayerFile, layerProblems } from './extension/layer-problems.ts';
export { type ExtensionManifest, parseExtensionManifest } from './extension/manifest.ts';
export { isExtensionName } from './extension/name.ts';
export { isInRange } from './extension/range.ts';
