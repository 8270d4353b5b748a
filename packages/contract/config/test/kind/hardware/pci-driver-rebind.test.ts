import { tableOf } from '../table.ts';

tableOf('PCIDriverRebindConfig', {
  reads: [
    ['name: 0000:04:00.0\ntargetDriver: vfio-pci\n', { name: '0000:04:00.0', targetDriver: 'vfio-pci' }],
  ],
  refuses: [
    ['name: §04:00.0\ntargetDriver: a\n', 'pci.address', 'name'],
    ['name: §0000:04:20.0\ntargetDriver: a\n', 'pci.address', 'name'],
    ['name: §"../0000:04:00.0"\ntargetDriver: a\n', 'pci.address', 'name'],
    ['name: 0000:04:00.0\ntargetDriver: §../a\n', 'pci.driver', 'targetDriver'],
    ['name: 0000:04:00.0\n', 'required', 'targetDriver'],
  ],
});
