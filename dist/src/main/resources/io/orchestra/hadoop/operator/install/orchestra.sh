# Orchestra @version@: its jars on class paths. Written by "orchestra install"; "orchestra uninstall" removes it.
# shellcheck shell=bash

_orchestra_roles=" @roles@ "
_orchestra_current=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." > /dev/null && pwd)/orchestra/current

hadoop_add_profile orchestra

# Which program a class path is for, Hadoop's scripts know only when they finish it.
function _orchestra_hadoop_finalize
{
  local role
  case "${HADOOP_SUBCMD:-}" in
    # These make placement policies too.
    namenode | secondarynamenode | balancer | mover | fsImageValidation) role=namenode ;;
    datanode | resourcemanager | nodemanager) role=${HADOOP_SUBCMD} ;;
    *) role=client ;;
  esac
  if [[ "${_orchestra_roles}" == *" ${role} "* ]]; then
    hadoop_add_classpath "${_orchestra_current}/orchestra-${role}.jar"
  fi
}
