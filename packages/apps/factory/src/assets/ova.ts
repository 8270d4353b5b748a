import { createHash } from 'node:crypto';

import { tarParts } from '@nodecore/oci';
import { View } from '@nodecore/view';

export type OvaOptions = {
  /** Of the release. */
  readonly version: string;
  readonly isSecureBoot: boolean;
  /** Of the disk as the machine sees it. */
  readonly capacityBytes: number;
  readonly vmdk: View;
  /** Of the VMDK, in hex. */
  readonly sha256: string;
};

/** A machine for VMware in one archive: its description, their digests, and its disk (OVF 1.1 of the DMTF). */
export function ova(options: OvaOptions): View {
  const description = Buffer.from(descriptionOf(options));
  const digest = createHash('sha256').update(description).digest('hex');
  const digests = Buffer.from(`SHA256(disk.ovf)= ${digest}\nSHA256(disk.vmdk)= ${options.sha256}\n`);
  const files = { 'disk.ovf': View.of(description), 'disk.mf': View.of(digests), 'disk.vmdk': options.vmdk };
  return View.of(
    ...tarParts<View>(
      Object.entries(files).map(([path, content]) => ({ path, size: content.size, content })),
    ),
  );
}

/** Two processors, 2 GiB, UEFI, a network: what is changed after the import. */
function descriptionOf({ version, isSecureBoot, capacityBytes, vmdk }: OvaOptions): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:ovf="http://schemas.dmtf.org/ovf/envelope/1" xmlns:rasd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_ResourceAllocationSettingData" xmlns:vmw="http://www.vmware.com/schema/ovf" xmlns:vssd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_VirtualSystemSettingData">
  <References>
    <File ovf:href="disk.vmdk" ovf:id="file1" ovf:size="${vmdk.size}"/>
  </References>
  <DiskSection>
    <Info>Virtual disks</Info>
    <Disk ovf:capacity="${capacityBytes}" ovf:capacityAllocationUnits="byte" ovf:diskId="vmdisk1" ovf:fileRef="file1" ovf:format="http://www.vmware.com/interfaces/specifications/vmdk.html#streamOptimized"/>
  </DiskSection>
  <NetworkSection>
    <Info>Networks</Info>
    <Network ovf:name="VM Network">
      <Description>The network of the machine</Description>
    </Network>
  </NetworkSection>
  <VirtualSystem ovf:id="nodeos">
    <Info>A virtual machine</Info>
    <Name>nodeos ${version}</Name>
    <OperatingSystemSection ovf:id="101" vmw:osType="other5xLinux64Guest">
      <Info>Its operating system</Info>
    </OperatingSystemSection>
    <VirtualHardwareSection>
      <Info>Its hardware</Info>
      <System>
        <vssd:ElementName>Virtual Hardware Family</vssd:ElementName>
        <vssd:InstanceID>0</vssd:InstanceID>
        <vssd:VirtualSystemIdentifier>nodeos</vssd:VirtualSystemIdentifier>
        <vssd:VirtualSystemType>vmx-15</vssd:VirtualSystemType>
      </System>
      <Item>
        <rasd:AllocationUnits>hertz * 10^6</rasd:AllocationUnits>
        <rasd:ElementName>2 processors</rasd:ElementName>
        <rasd:InstanceID>1</rasd:InstanceID>
        <rasd:ResourceType>3</rasd:ResourceType>
        <rasd:VirtualQuantity>2</rasd:VirtualQuantity>
      </Item>
      <Item>
        <rasd:AllocationUnits>byte * 2^20</rasd:AllocationUnits>
        <rasd:ElementName>2048 MiB of memory</rasd:ElementName>
        <rasd:InstanceID>2</rasd:InstanceID>
        <rasd:ResourceType>4</rasd:ResourceType>
        <rasd:VirtualQuantity>2048</rasd:VirtualQuantity>
      </Item>
      <Item>
        <rasd:Address>0</rasd:Address>
        <rasd:ElementName>Controller of disks</rasd:ElementName>
        <rasd:InstanceID>3</rasd:InstanceID>
        <rasd:ResourceSubType>VirtualSCSI</rasd:ResourceSubType>
        <rasd:ResourceType>6</rasd:ResourceType>
      </Item>
      <Item>
        <rasd:AddressOnParent>0</rasd:AddressOnParent>
        <rasd:ElementName>Disk 1</rasd:ElementName>
        <rasd:HostResource>ovf:/disk/vmdisk1</rasd:HostResource>
        <rasd:InstanceID>4</rasd:InstanceID>
        <rasd:Parent>3</rasd:Parent>
        <rasd:ResourceType>17</rasd:ResourceType>
      </Item>
      <Item>
        <rasd:AddressOnParent>7</rasd:AddressOnParent>
        <rasd:AutomaticAllocation>true</rasd:AutomaticAllocation>
        <rasd:Connection>VM Network</rasd:Connection>
        <rasd:ElementName>Network adapter 1</rasd:ElementName>
        <rasd:InstanceID>5</rasd:InstanceID>
        <rasd:ResourceSubType>VmxNet3</rasd:ResourceSubType>
        <rasd:ResourceType>10</rasd:ResourceType>
      </Item>
      <vmw:Config ovf:required="false" vmw:key="firmware" vmw:value="efi"/>
      <vmw:Config ovf:required="false" vmw:key="bootOptions.efiSecureBootEnabled" vmw:value="${isSecureBoot}"/>
    </VirtualHardwareSection>
  </VirtualSystem>
</Envelope>
`;
}
