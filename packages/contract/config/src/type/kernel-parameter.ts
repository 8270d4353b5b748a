import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';

/** What is written into a file of the kernel: one line. Numbers are taken as they are written. */
export const kernelValue: Type<string> = parsed('a text or a number', {
  literal: true,
  json: { maxLength: 4096 },
  parse: (text) =>
    text.length <= 4096 && !/\p{Cc}/u.test(text.replaceAll('\t', ' '))
      ? text
      : new Mistake('parameter.value', 'must be one line of at most 4096 characters'),
});

/** The parts of a name, which are separated by dots, or by slashes where one of them has a dot. */
export function partsOf(name: string): readonly string[] {
  return name.includes('/') ? name.split('/') : name.split('.');
}

function nameBelow(root: string, reserved: (path: string) => boolean, code: string): Type<string> {
  return parsed('a name', {
    json: { pattern: '^[A-Za-z0-9_][A-Za-z0-9_.:@,+/-]*$', maxLength: 1024 },
    parse: (text) => {
      const parts = partsOf(text);
      const isPath = parts.every((part) => /^[\w:@,+-][\w.:@,+-]*$/u.test(part));
      if (!isPath || text.length > 1024)
        return new Mistake(`${code}.name`, `must name a file below ${root}, its parts separated by . or /`);
      return reserved(parts.join('/'))
        ? new Mistake(`${code}.reserved`, 'is not a setting: writing it makes the kernel act')
        : text;
    },
  });
}

/** A name below /proc/sys. */
export const sysctlName: Type<string> = nameBelow('/proc/sys', () => false, 'sysctl');

const acting = /(?:^|\/)uevent$|^bus\/[^/]+\/drivers\/[^/]+\/(?:un)?bind$|^power\/state$/u;

/** A name below /sys; files that make the kernel act rather than hold a setting are refused. */
export const sysfsName: Type<string> = nameBelow('/sys', (path) => acting.test(path), 'sysfs');
