#!/bin/sh
# A removed service is stopped; an upgrade leaves it alone.
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
	systemctl disable --now pantheon pantheon-backup.timer
fi
