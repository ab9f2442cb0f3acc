#!/bin/bash
# Creates database and user in an empty data folder, then runs the server.
set -e
if [ ! -d /var/lib/mysql/mysql ]; then
  mariadb-install-db --user=mysql --datadir=/var/lib/mysql --skip-test-db >/dev/null
  socket=/run/mysqld/setup.sock
  mariadbd --user=mysql --skip-networking --socket=$socket &
  until mariadb-admin --socket=$socket ping >/dev/null 2>&1; do sleep 0.1; done
  mariadb --socket=$socket <<SQL
CREATE DATABASE \`$MARIADB_DATABASE\`;
CREATE USER '$MARIADB_USER'@'%' IDENTIFIED BY '$MARIADB_PASSWORD';
GRANT ALL ON \`$MARIADB_DATABASE\`.* TO '$MARIADB_USER'@'%';
CREATE USER 'healthcheck'@'localhost';
SQL
  mariadb-admin --socket=$socket shutdown
  wait
fi
exec "$@"
