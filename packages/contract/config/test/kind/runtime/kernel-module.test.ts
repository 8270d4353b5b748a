import { tableOf } from '../table.ts';

tableOf('KernelModuleConfig', {
  reads: [
    ['name: nbd\n', { name: 'nbd', parameters: [] }],
    ['name: a\nparameters: [b, c=1, d="1 2", "e=x,y"]\n', { parameters: ['b', 'c=1', 'd="1 2"', 'e=x,y'] }],
  ],
  refuses: [
    ['name: §../a\n', 'module.name', 'name'],
    ['name: §-r\n', 'module.name', 'name'],
    [`name: §${'a'.repeat(57)}\n`, 'text.length', 'name'],
    ['name: a\nparameters: [§"b c"]\n', 'module.parameter', 'parameters[0]'],
    ['name: a\nparameters: [b=1, §"=1"]\n', 'module.parameter', 'parameters[1]'],
    ['name: a\nparameters: [§"b=\\n"]\n', 'text.control', 'parameters[0]'],
    ['name: a\nparameters: [b, §b]\n', 'list.duplicate', 'parameters[1]'],
    ['name: a\nparameters: §b\n', 'wrong_type', 'parameters'],
    ['parameters: []\n', 'required', 'name'],
  ],
});
