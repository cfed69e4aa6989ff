#!/bin/sh
# Says hello.
echo hello
