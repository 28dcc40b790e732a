/** A foreign domain, with elements unknown to Berth in every place where libvirt accepts them. */
export const FOREIGN_DOMAIN = `<domain type='kvm' xmlns:qemu='http://libvirt.org/schemas/domain/qemu/1.0'>
  <name>a &amp; b</name><uuid>c7a5fdbd-edaf-9455-926a-d65c16db1809</uuid>
  <metadata><vendor:note xmlns:vendor='urn:vendor'>kept &lt;as it is&gt;</vendor:note></metadata>
  <!-- by hand -->
  <memory unit='KiB'>4194304</memory><currentMemory unit='KiB'>4194304</currentMemory>
  <memoryBacking><hugepages><page size='2048' unit='KiB'/></hugepages><locked/></memoryBacking>
  <vcpu placement='static' cpuset='8-11'>4</vcpu>
  <iothreads>1</iothreads>
  <cputune><shares>2048</shares><vcpupin vcpu='0' cpuset='8'/><vcpupin vcpu='1' cpuset='9'/><emulatorpin cpuset='8-11'/>
    <iothreadpin iothread='1' cpuset='10'/><vcpusched vcpus='0' scheduler='fifo' priority='1'/></cputune>
  <numatune><memory mode='preferred' nodeset='1'/><memnode cellid='0' mode='strict' nodeset='1'/></numatune>
  <os><type arch='x86_64' machine='q35'>hvm</type></os>
  <cpu mode='custom' match='exact'><model fallback='forbid'>Broadwell</model><topology sockets='1' dies='1' cores='4' threads='1'/>
    <numa><cell id='0' cpus='0-1' memory='2' unit='GiB'/><cell id='1' cpus='2-3' memory='2' unit='GiB'/></numa></cpu>
  <devices><emulator>/usr/bin/qemu-system-x86_64</emulator>
    <disk type='network' device='disk'><source protocol='rbd' name='pool/a'><host name='mon' port='6789'/></source><target dev='vda'/></disk>
    <hostdev mode='subsystem' type='pci' managed='no'><source><address domain='0x0000' bus='0x5e' slot='0x02' function='0x1'/></source>
      <alias name='ua-first'/><address type='pci' domain='0x0000' bus='0x06' slot='0x00' function='0x0'/></hostdev>
    <hostdev mode='subsystem' type='usb'><source><vendor id='0x1234'/></source></hostdev></devices>
  <qemu:commandline><qemu:arg value="-foo='a &amp; b'"/></qemu:commandline>
</domain>
`
