#!/usr/bin/env bash
# Backs up the database that PGHOST, PGUSER, PGPASSWORD and PGDATABASE name.
#
#   backup.sh once            writes BACKUP_DIR/footfall-<time>.dump and deletes dumps older than KEEP_DAYS
#   backup.sh schedule        does so now, and every day at BACKUP_AT (UTC)
#   backup.sh check           fails if the newest dump is older than 26 hours
#   backup.sh restore <file>  puts a dump in place of the database, which it keeps under another name; stop the server first
set -euo pipefail
umask 077

directory=${BACKUP_DIR:?name the directory of the backups}

once() {
  local file partial
  file=$directory/footfall-$(date -u +%Y%m%dT%H%M%SZ).dump
  partial=$file.partial
  rm -f "$directory"/footfall-*.dump.partial
  pg_dump --format=custom --file="$partial"
  # A dump that pg_restore cannot list cannot be restored.
  pg_restore --list "$partial" > /dev/null
  mv "$partial" "$file"
  # Only after the new dump is complete, so that a failed backup deletes nothing.
  find "$directory" -name 'footfall-*.dump' -mtime "+${KEEP_DAYS:-14}" -delete
  echo "backed up to $file ($(stat -c %s "$file") bytes)"
}

# Exits immediately when the container stops.
pause() {
  sleep "$1" &
  wait $!
}

schedule() {
  trap 'exit 0' TERM INT
  local now next at=${BACKUP_AT:-03:15}
  while :; do
    # In its own process, because bash does not stop at the first failure inside a condition.
    until bash "$0" once; do
      echo "The backup failed. Trying again in 10 minutes." >&2
      pause 600
    done
    now=$(date -u +%s)
    next=$(date -u -d "today $at" +%s)
    if ((next <= now)); then next=$(date -u -d "tomorrow $at" +%s); fi
    pause $((next - now))
  done
}

check() {
  find "$directory" -name 'footfall-*.dump' -mmin -1560 | grep -q .
}

# Into a database of its own, so that a dump that fails half way changes nothing. Dropping what is there first fails
# on partitions.
restore() {
  local name=${PGDATABASE:?} restored before
  restored=${name}_restored
  before=${name}_before_$(date -u +%Y%m%d%H%M%S)
  export PGDATABASE=postgres
  dropdb --if-exists "$restored"
  createdb "$restored"
  pg_restore --no-owner --exit-on-error --single-transaction --dbname="$restored" "$1"
  psql --quiet --no-psqlrc --output=/dev/null --set=ON_ERROR_STOP=1 --set=name="$name" --set=restored="$restored" --set=before="$before" <<'SQL'
begin;
select pg_terminate_backend(pid) from pg_stat_activity where datname = :'name';
alter database :"name" rename to :"before";
alter database :"restored" rename to :"name";
commit;
SQL
  echo "restored $1; the previous database is now $before. To delete it: dropdb $before"
}

case ${1:-} in
  once | schedule | check) "$1" ;;
  restore) restore "${2:?name the dump to restore}" ;;
  *)
    echo "Expected once, schedule, check or restore, received: ${1:-nothing}" >&2
    exit 2
    ;;
esac
