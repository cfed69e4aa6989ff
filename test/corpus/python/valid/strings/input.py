# -*- coding: utf-8 -*-
RAW = r"C:\new\N{BULLET}"
OLD = u'unicode'
ESCAPES = "\a\b\f\n\r\t\v\\\'\"\0\101\x41\u00e9\U0001F600\d"
NAMED = "\N{BULLET} one \N{EM DASH} two"
TRIPLE = """it's "quoted"
# not a comment
  kept"""
JOINED = "one " 'two ' """three"""
PARENTHESISED = (
    "first "  # with a comment ")"
    "second"
)
CONTINUED = "a" \
    "b"
ADDED = "https://" + "example.org" + '/#x'
LINE_JOIN = "a\
b"
PLAIN_F = f"no {{holes}}"
