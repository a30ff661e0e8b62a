#!/bin/sh
# Browser tests need a Chromium: as root on Debian it is installed when missing, elsewhere what is there is used.
command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1 && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "installing Debian's chromium for the browser tests"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } >/tmp/spieltisch-chromium.log 2>&1 ||
    { echo "chromium could not be installed (see /tmp/spieltisch-chromium.log); browser tests will be skipped"; exit 0; }
else
  echo "no Chromium found: browser tests will be skipped (Debian: apt install chromium)"
fi
