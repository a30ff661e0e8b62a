#!/bin/sh
# What tests need that does not come with Python: Chromium and WebKit for the pages (WebKit with a virtual screen), nginx, Caddy
# and OpenSSL for what stands in front of the server, PostgreSQL for the tables of many, PgBouncer in front of that,
# Redis for hints, Prometheus and systemd for what watches the server. As root on Debian they are installed when missing, elsewhere what is there is used.
there() { for one; do command -v "$one" >/dev/null 2>&1 && return 0; done; return 1; }
missing=""
there chromium-headless-shell chromium chromium-browser google-chrome || missing="chromium-headless-shell"
there WebKitWebDriver || missing="$missing webkit2gtk-driver"
ls /usr/lib/*/girepository-1.0/WebKit2-4.1.typelib >/dev/null 2>&1 || missing="$missing gir1.2-webkit2-4.1"
/usr/bin/python3 -c "import gi" 2>/dev/null || missing="$missing python3-gi"
there Xvfb || missing="$missing xvfb"
PATH="$PATH:/usr/sbin"
there nginx || missing="$missing nginx-light"
there caddy || missing="$missing caddy"
there openssl || missing="$missing openssl"
there pgbouncer || missing="$missing pgbouncer"
there postgres /usr/lib/postgresql/*/bin/postgres || missing="$missing postgresql"
there valkey-server redis-server || missing="$missing redis-server"
there promtool || missing="$missing prometheus"
there systemd-analyze || missing="$missing systemd"
if [ "$1" = whole ]; then # `make test-all` makes a machine with nothing on it, and an image
  there mmdebstrap || missing="$missing mmdebstrap"
  there buildah || missing="$missing buildah"
  there bwrap || missing="$missing bubblewrap"
fi
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "installing for the tests: $missing"
  apt-get update -qq >/tmp/spieltisch-programs.log 2>&1
  for one in $missing; do
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$one" >>/tmp/spieltisch-programs.log 2>&1 ||
      echo "$one could not be installed (see /tmp/spieltisch-programs.log); tests that need it will be skipped"
    case $one in nginx-light | caddy | pgbouncer | postgresql | redis-server | prometheus) # the tests start their own; Debian's packages have begun to serve
      command -v systemctl >/dev/null 2>&1 && systemctl disable --now "${one%-light}" >>/tmp/spieltisch-programs.log 2>&1 ;;
    esac
  done
else
  echo "not found, so tests that need it will be skipped (Debian: apt install): $missing"
fi
exit 0 # without them tests are skipped, and say so
