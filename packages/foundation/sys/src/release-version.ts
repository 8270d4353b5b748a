/**
 * Of the system that this source is: node OS, factory, fleet manager and their clients of one commit have one version, as it is
 * written in tags, URLs and resources. Packages of npm follow their own numbers.
 */
export const releaseVersion = 'v1.14.0-alpha.0';
