import { document } from '../../document.ts';
import { list } from '../../field/list.ts';
import { text } from '../../field/text.ts';
import { fallback, required } from '../../field/type.ts';

const name = text({
  longest: 56,
  pattern: {
    regex: /^[A-Za-z0-9][A-Za-z0-9_-]*$/u,
    code: 'module.name',
    message: 'must be the name of a kernel module: letters, digits, _ and -',
  },
});

const parameter = text({
  pattern: {
    regex: /^[A-Za-z0-9_.-]+(?:=(?:[^\s"]|"[^"]*")*)?$/u,
    code: 'module.parameter',
    message: 'must be name or name=value; a value with a blank is in double quotes',
  },
});

/** `KernelModuleConfig`: a module of the kernel that is loaded. */
export const kernelModule = document('KernelModuleConfig', 'a module of the kernel that is loaded', () => ({
  takesEffect: 'live', // parameters of a module that is loaded already only when the machine boots again
  container: 'ignored',
  clash: 'kernel modules',
  claims: ({ name: written }) => [{ name: written.replaceAll('-', '_'), at: ['name'] }],
  fields: {
    name: required('the module; - and _ are the same', name),
    parameters: fallback('its parameters, name=value', list(parameter), []),
  },
  example: 'name: nbd\nparameters: [nbds_max=32]\n',
}));
