#!/bin/sh
# The service is neither started nor restarted: that is for the operator, after `pantheon check`.
set -e
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
fi
