/** Filters as people write them, and each primitive of pcap-filter(7) that Ethernet, IP and cooked packets know. */
export const filters: readonly string[] = String.raw`
ip
ip6
arp
rarp
tcp
udp
sctp
icmp
icmp6
igmp
pim
vrrp
ah
esp
stp
ipx
iso
llc
atalk
decnet
netbeui
aarp
lat
moprc
mopdl
igrp
carp
clnp
esis
isis
sca
broadcast
multicast
ether broadcast
ether multicast
ip broadcast
ip multicast
ip6 multicast
inbound
outbound
not inbound
less 100
greater 1000
len = 60
len > 1000 and tcp
length <= 64
host 10.0.0.1
src host 10.0.0.1
dst host 10.0.0.1
src or dst host 10.0.0.2
src and dst host 127.0.0.1
ip host 10.0.0.1
arp host 10.0.0.1
rarp src host 10.0.0.1
host 10.0.0.1 or 10.0.0.2 or 192.168.1.1
host 2001:db8::1
ip6 host fe80::2
src host ::1
dst host ff02::1
ip6 src host 2001:db8:0:0::2
net 10.0.0.0/8
net 10
net 192.168
net 192.168.1
src net 10.1.2.0/24
dst net 127
net 10.0.0.0 mask 255.0.0.0
net 0.0.0.0/0
net 224.0.0.0/4
ip6 net 2001:db8::/32
net fe80::/10
src net ff00::/8
net 2001:db8::/64
ether host 00:11:22:33:44:51
ether src 02:00:00:00:00:01
ether dst ff:ff:ff:ff:ff:ff
ether host 1:0:5e:0:0:2
ether src 0011.2233.4450
ether dst 00-11-22-33-44-52
ether proto 0x88cc
ether proto \ip
ether proto \arp
ether proto 0x42
ether proto 1500
ether proto 1501
ether proto \ip6
link proto 0x86dd
port 80
src port 53
dst port 443
tcp port 80
udp port 53
sctp port 1500
tcp src port 22
udp dst port 53
port 53 or port 80
tcp port 80 or 443
port 0
port 65535
portrange 1-1023
tcp portrange 8000-8080
src portrange 20-25
udp dst portrange 5000-5000
portrange 443-80
port domain
tcp port http
udp port ntp
tcp port ssh and host 10.0.0.1
port 22 and not host 10.0.0.1
not port 22
! tcp
not (tcp or udp)
ip proto 47
ip proto \tcp
ip6 proto 58
ip6 proto \udp
proto 6
ip proto 50 or ip proto 51
ip6 proto 44
ip[0] & 0xf != 5
ip[6:2] & 0x1fff != 0
ip[8] < 5
ip[1] = 0xb8
ip[2:2] > 100
ip[16:4] = 0x0a000001
ip[9] = 6
ip[0] >> 4 = 4
ip[12] + ip[13] = 10
ip[2:2] - 20 > 40
ip[8] * 2 = 128
ip[2:2] / 4 = 10
ip[2:2] % 4 = 0
ip[8] ^ 64 = 0
ip[8] << 1 = 128
-ip[8] = 0xffffffc0
ip[ip[8]] = 0
ip[4:2] != ip[2:2]
tcp[13] & 2 != 0
tcp[tcpflags] & tcp-syn != 0
tcp[13] = 18
tcp[tcpflags] & (tcp-syn|tcp-fin) != 0
tcp[tcpflags] & (tcp-syn|tcp-ack) == (tcp-syn|tcp-ack)
tcp[tcpflags] = tcp-rst or tcp[tcpflags] & tcp-push != 0
tcp port 80 and (((ip[2:2] - ((ip[0]&0xf)<<2)) - ((tcp[12]&0xf0)>>2)) != 0)
tcp[0:2] = 80
tcp[2:2] > 1024
udp[4:2] > 100
udp[8] = 0
udp[0:2] != udp[2:2]
sctp[0:2] = 1500
icmp[icmptype] = icmp-echo
icmp[icmptype] != icmp-echoreply
icmp[0] = 3 and icmp[1] = 3
icmp[icmptype] = icmp-unreach or icmp[icmptype] = icmp-timxceed
icmp[icmpcode] > 0
icmp6[icmp6type] = icmp6-echo
icmp6[0] = 135
icmp6[icmp6type] = icmp6-neighborsolicit
ip6[6] = 58
ip6[40] = 128
ip6[4:2] > 60
ip6[7] < 64
ip6[24:4] = 0x20010db8
arp[6:2] = 1
arp[14:4] = 0x0a000001
ether[0] & 1 = 1
ether[12:2] = 0x0800
ether[0:4] = 0xffffffff and ether[4:2] = 0xffff
ether[6:4] != 0
ether[len - 1] = 0
ip[ip[0] & 0xf] = 0
len - 14 > 40
link[0] != 0
1 = 1
1 + 2 * 3 = 7
ip[0] = ip[0]
tcp port 80 and host 10.0.0.1
host 10.0.0.1 and (tcp port 80 or tcp port 443)
host 10.0.0.1 and not (port 22 or port 53) and ip
(tcp or udp) and (src port 53 or dst port 53) and not net 192.168.0.0/16
ip and tcp and dst port 80 and src net 10.0.0.0/8
icmp or icmp6 or arp
udp port 67 or udp port 68
tcp and not port 22 and not port 443
ip host 10.0.0.1 and ip host 10.0.0.2
src host 10.0.0.1 and dst net 10.1.2.0/24 and tcp dst port 8080
not arp and not icmp and not (udp and port 53)
(ip and udp) or (ip6 and tcp)
ip6 and (tcp port 80 or udp port 53)
tcp[tcpflags] & tcp-syn != 0 and not src net 10.0.0.0/8
!(host 10.0.0.1 && port 80) || icmp
host 10.0.0.1 and port 80 or host 10.0.0.2 and port 443
ip and (ip[8] = 1 or ip[8] = 255) and not multicast
gateway 10.0.0.1
vlan
vlan 5
vlan 100 and ip
vlan and tcp port 80
vlan 5 and vlan 100
vlan and vlan and ip6
not vlan
ip or vlan
vlan 100 and not arp
vlan or ip
vlan 5 or vlan 100
vlan and host 10.0.0.1
vlan 0
not vlan 5
vlan 100 and udp port 53
(vlan 5 and tcp) or (vlan 100 and udp)
vlan and ether[14:2] = 5
mpls
mpls 1000
mpls and ip
mpls 5 and mpls 6 and tcp
pppoed
pppoes
pppoes 5 and ip
geneve
geneve 5 and ip
vlan 100 and mpls
vlan 100 and pppoes and ip
ifindex 1
ifindex 3 and tcp
wlan type mgt
wlan type data subtype qos-data
ether proto \stp
iso proto \clnp
tcp port 80 and less 100
udp and greater 500
ip proto \icmp and host 10.0.0.1
ip6 proto \icmp6
proto \tcp
src 10.0.0.1
dst 10.0.0.1
src 10.0.0.1 and dst 10.0.0.2
src 2001:db8::1
src net 10.0.0.0/8 or dst net 10.0.0.0/8`.split('\n');
