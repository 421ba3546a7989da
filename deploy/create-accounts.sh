#!/bin/bash
# Creates Muster's database accounts; MariaDB's image runs this once, when it creates the database (see compose.yaml).
#   muster_owner   owns the tables and may grant rights; only `migrate` uses it
#   muster_api     gets its rights from `migrate`, see db/access/grants.ts
#   muster_worker  the same
# The image sources this file, so nothing here may change the shell's options.

create_account() {
  local name=$1 password=$2
  # The password becomes part of an SQL string and of a URL.
  if [[ ! $password =~ ^[A-Za-z0-9]{16,}$ ]]; then
    echo "The password of $name must have at least 16 characters, letters and digits only: openssl rand -hex 24" >&2
    echo "Remove the incomplete database with docker compose down --volumes, then try again." >&2
    exit 1
  fi
  docker_process_sql --database=mysql <<<"CREATE USER '$name'@'%' IDENTIFIED BY '$password';"
}

create_account muster_owner "$DATABASE_OWNER_PASSWORD"
create_account muster_api "$DATABASE_API_PASSWORD"
create_account muster_worker "$DATABASE_WORKER_PASSWORD"
docker_process_sql --database=mysql <<<"GRANT ALL ON muster.* TO 'muster_owner'@'%' WITH GRANT OPTION;"
