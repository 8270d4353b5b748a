import { document } from '../../document.ts';
import { Mistake } from '../../field/mistake.ts';
import { parsed } from '../../field/parsed.ts';
import { secretMaybe } from '../../field/secret.ts';
import { text } from '../../field/text.ts';
import { fallback, required, type Type } from '../../field/type.ts';
import { fileMode } from '../../type/file-mode.ts';

/** Files and directories below /etc that the node owns, or that would hand it over. */
const refused: ReadonlySet<string> = new Set(
  [
    'apparmor apparmor.d ca-certificates cni cri cron.d extensions.yaml fstab group gshadow hostname hosts iscsi ld.so.cache',
    'ld.so.conf ld.so.conf.d ld.so.preload localtime lvm machine-id mtab nodecore nsswitch.conf nvme orchestrator os-release',
    'pam.conf pam.d passwd pki resolv.conf selinux shadow ssh ssl sudoers sudoers.d systemd udev xattr.conf',
  ].flatMap((line) => line.split(' ')),
);

const path: Type<string> = parsed('a path', {
  json: { pattern: '^[A-Za-z0-9_][A-Za-z0-9_./@-]*$', maxLength: 253 },
  parse: (text) => {
    const parts = text.split('/');
    if (text.length > 253 || !parts.every((part) => /^[\w@-][\w.@-]*$/u.test(part)))
      return new Mistake(
        'etc_file.path',
        'must be a path below /etc of letters, digits and _ . @ -, no part of which begins with a dot',
      );
    return refused.has(parts[0] ?? '')
      ? new Mistake('etc_file.reserved', 'belongs to the node: no document writes it')
      : text;
  },
});

/** In bytes. */
const largest = 64 << 10;

/** `EtcFileConfig`: a file below /etc. */
export const etcFile = document('EtcFileConfig', 'a file below /etc', () => ({
  takesEffect: 'live',
  fields: {
    name: required('its path below /etc', path),
    mode: fallback('permissions, in octal', fileMode, '0o644'),
    contents: fallback(
      'what it holds, 64 KiB at most',
      secretMaybe(text({ lines: true, empty: true, longest: largest })),
      '',
    ),
  },
  check({ contents }, at) {
    if (Buffer.byteLength(contents) > largest)
      at.at('contents').problem('etc_file.size', 'has at most 64 KiB');
  },
  example: 'name: motd\nmode: 0o644\ncontents: |\n  This machine is managed.\n',
}));
