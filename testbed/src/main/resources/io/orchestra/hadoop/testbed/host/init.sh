# The first process of an emulated host: makes the host's private view of the machine and then reaps orphans.
# Arguments: a marker, by which stray hosts are found; the directory of all clusters and its identity; the cluster's
# name; the host's name; the mount point.
set -euo pipefail
cluster=$2/$4 host=$5 here=$6

hostname "$host"
# First of all: mount itself keeps notes below /run.
mount -t tmpfs -o mode=755 tmpfs /run
# A sysfs shows the interfaces of the network namespace it was mounted in, so each host needs its own.
mount -t sysfs sysfs /sys
mount --bind "$cluster/hosts/$host" "$here"
mount --bind "$here/tmp" /tmp
[ ! -d /var/tmp ] || mount --bind "$here/var-tmp" /var/tmp
[ ! -d /dev/shm ] || mount -t tmpfs -o mode=1777 tmpfs /dev/shm
# All of it: when useradd replaces a file of the machine's /etc, what is mounted on that file is gone, here too.
mount --bind "$cluster/etc" /etc

# Neighbour discovery would move the counters of idle links.
if [ -e /proc/sys/net/ipv6/conf/all/disable_ipv6 ]; then
  echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6
  echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6
fi
ip link set dev lo up

touch "$here/ready"
while :; do
  sleep infinity &
  wait
done
