import { document } from '../../document.ts';
import { text } from '../../field/text.ts';
import { required } from '../../field/type.ts';

const address = text({
  pattern: {
    regex: /^[0-9a-f]{4}:[0-9a-f]{2}:[01][0-9a-f]\.[0-7]$/u,
    code: 'pci.address',
    message: 'must be a PCI address in lower case, such as 0000:04:00.0',
  },
});

const driver = text({
  longest: 64,
  pattern: {
    regex: /^[A-Za-z0-9_-]+$/u,
    code: 'pci.driver',
    message: 'must be the name of a driver, such as vfio-pci',
  },
});

/** `PCIDriverRebindConfig`: a device that gets another driver. */
export const pciDriverRebind = document(
  'PCIDriverRebindConfig',
  'a PCI device that gets another driver',
  () => ({
    takesEffect: 'live',
    container: 'ignored',
    fields: {
      name: required('the address of the device', address),
      targetDriver: required('the driver that it gets', driver),
    },
    example: 'name: 0000:04:00.0\ntargetDriver: vfio-pci\n',
  }),
);
