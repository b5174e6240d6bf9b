# shellcheck shell=sh
# configure.sh - what a build needs, for quickstart and .ci/run. Sourced, after packages.sh.

# The shell of configure, libtool and make. A build starts libtool a thousand times, and Debian's sh does so in less time
# than bash, which configure would look for first.
CONFIG_SHELL=${CONFIG_SHELL:-/bin/sh}
export CONFIG_SHELL

# True if configure is missing or older than its sources. A release brings one that is current.
configure_is_old()
{
    [ -x configure ] && [ -f Makefile.in ] || return 0
    [ -n "$(find configure.ac Makefile.am m4 lib cuda tools t bench python man doc -newer configure -type f \
        \( -name "*.mk" -o -name "*.m4" -o -name "*.a[cm]" \))" ]
}

# The packages that configure, make and the tests need.
need_for_build()
{
    need gcc has_program cc
    need libc6-dev has_header stdio.h
    need make has_program make
    need perl perl -MFile::Temp -MTest::More -e 1
    need gzip has_program gzip
    need zlib1g-dev has_header zlib.h
    want libisal-dev has_header isa-l/igzip_lib.h
    want libzstd-dev has_header zstd.h
    want libpng-dev has_header png.h
}

# The packages that make_configure needs.
need_for_configure()
{
    need autoconf has_program autoreconf
    need automake has_program automake
    need libtool has_program libtoolize
}

make_configure()
{
    autoreconf --install --force
}
