import { goodMark, mostStarts, type SlotName, slotNames } from './slots.ts';

/** Where GRUB looks, from the root of its partition. */
export const grubPaths = {
  menu: '/grub/grub.cfg',
  environment: '/grub/grubenv',
  directory: '/nodeos',
} as const;

export function imagePath(slot: SlotName): string {
  return `${grubPaths.directory}/${slot}.efi`;
}

/** The commands that start the image of a slot. Without this file nothing of the slot is started. */
export function startPath(slot: SlotName): string {
  return `${grubPaths.directory}/${slot}.cfg`;
}

/** Set by the last of the commands of a slot: half a file of them starts nothing. */
export function readyVariable(slot: SlotName): string {
  return `ready_${slot}`;
}

/**
 * The text of `grub.cfg`: it is written once and never changes, what does is in the environment. It has the rule of the
 * menu of UEFI: a start is counted before it is made, and an entry without one is started only when nothing else can be.
 */
export function grubMenu(): string {
  return [
    'set timeout=0',
    'probe --set=boot_partition --part-uuid $root',
    'load_env --file $prefix/grubenv first a_left a_done b_left b_done',
    ...slotNames.flatMap((slot) => [...start(slot), ...count(slot), ...attempt(slot)]),
    ...inOrder('try'),
    // Nothing has a start left, or the environment is lost: something that may not work is better than nothing.
    ...inOrder('start'),
    'echo "no release of nodeos can be started from this disk"',
    'sleep 10',
    'reboot',
    '',
  ].join('\n');
}

/** A medium that nobody writes to: what it has is started, and nothing is counted. */
export function grubMediumMenu(): string {
  const [slot] = slotNames;
  return [
    'set timeout=0',
    'probe --set=boot_partition --part-uuid $root',
    ...start(slot),
    `start_${slot}`,
    'echo "nodeos can not be started from this medium"',
    'sleep 10',
    'reboot',
    '',
  ].join('\n');
}

/** Comes back when the image can't be loaded. */
function start(slot: SlotName): readonly string[] {
  return [
    `function start_${slot} {`,
    `  if [ -f ${startPath(slot)} ]; then`,
    `    if source ${startPath(slot)}; then`,
    `      if [ "$${readyVariable(slot)}" = "yes" ]; then boot; fi`,
    '    fi',
    '  fi',
    '}',
  ];
}

/** A start that can't be counted is none: it would be made for ever. */
function count(slot: SlotName): readonly string[] {
  const digits = Array.from({ length: mostStarts }, (_, index) => index);
  const [left, done] = [`${slot}_left`, `${slot}_done`];
  return [
    `function count_${slot} {`,
    ...changed(left, (digit) => [digit + 1, digit], digits),
    ...changed(done, (digit) => [digit, digit + 1], digits),
    `  save_env --file $prefix/grubenv ${left} ${done}`,
    '}',
  ];
}

/** Without arithmetic: each number that a variable may have, and what it becomes. */
function changed(
  name: string,
  step: (digit: number) => readonly [from: number, to: number],
  digits: readonly number[],
): readonly string[] {
  const lines = digits.map((digit, index) => {
    const [from, to] = step(digit);
    return `  ${index === 0 ? 'if' : 'elif'} [ "$${name}" = "${from}" ]; then set ${name}=${to}`;
  });
  return [...lines, '  fi'];
}

function attempt(slot: SlotName): readonly string[] {
  const left = `"$${slot}_left"`;
  return [
    `function try_${slot} {`,
    `  if [ ${left} = "${goodMark}" ]; then start_${slot}`,
    `  elif [ -n ${left} -a ${left} != "0" ]; then`,
    `    if count_${slot}; then start_${slot}; fi`,
    '  fi',
    '}',
  ];
}

function inOrder(verb: 'try' | 'start'): readonly string[] {
  return [`if [ "$first" = "b" ]; then ${verb}_b; ${verb}_a; else ${verb}_a; ${verb}_b; fi`];
}
