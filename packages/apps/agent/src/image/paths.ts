/** Where things lie on a machine that runs our own image; `docs/agent.md` has the same table. */
export type ImagePaths = {
  /** For what does not outlive the boot; PID 1 leaves the signatures of measurements here. */
  readonly run: string;
  /** Configuration that the schematic of the image carries. */
  readonly embeddedConfiguration: string;
  /** Values for META that the image carries, as JSON. */
  readonly embeddedMeta: string;
  /** The layers of the image, the schematic among them. */
  readonly extensions: string;
  /** Public keys of those who may make an installer image, PEM, `*.pub`. */
  readonly installerKeys: string;
  /** The kernel's own command line. */
  readonly kernelCommandLine: string;
  /** Says which version runs, as `IMAGE_VERSION`. */
  readonly osRelease: string;
};

/** The table of the image. Tests give a directory of their own. */
export const imagePaths: ImagePaths = {
  run: '/run/nodeos',
  embeddedConfiguration: '/system/embedded-config.yaml',
  embeddedMeta: '/system/meta.json',
  extensions: '/system/extensions.yaml',
  installerKeys: '/usr/share/nodeos/installer-keys',
  kernelCommandLine: '/proc/cmdline',
  osRelease: '/usr/lib/os-release',
};
