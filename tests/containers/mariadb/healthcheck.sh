#!/bin/sh
exec mariadb-admin --user=healthcheck --socket=/run/mysqld/mysqld.sock ping
