#!/usr/bin/python3
"""A window with nothing but a WebKitGTK page, for WebDriver. It can be as narrow as a phone, unlike MiniBrowser's bar.

It runs with the system's Python, which has the bindings (Debian: python3-gi, gir1.2-webkit2-4.1).
"""

import gi  # ty: ignore[import-not-found]

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # ty: ignore[import-not-found]  # noqa: E402 - of these versions


def started(_context, session):
    info = WebKit2.ApplicationInfo()
    info.set_name("MiniBrowser")  # the name that WebDriver is asked for
    info.set_version(WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version())
    session.set_application_info(info)
    session.connect("create-web-view", lambda _session: view)


context = WebKit2.WebContext.new_ephemeral()
context.set_automation_allowed(True)
context.connect("automation-started", started)
view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True)
window = Gtk.Window()
window.add(view)
view.connect("close", lambda _view: window.destroy())
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
