# shellcheck shell=sh
# aarch64.sh - a build for aarch64, and its unit tests under qemu's user mode, for .ci/run. Sourced, after packages.sh.

want_for_aarch64()
{
    want gcc-aarch64-linux-gnu has_program aarch64-linux-gnu-gcc
    want libc6-dev-arm64-cross test -e /usr/aarch64-linux-gnu/include/stdio.h
    want qemu-user has_program qemu-aarch64
}

# Prints why there can be no such build. Fails if there can be one.
why_no_aarch64()
{
    case $(uname -m) in
    aarch64 | arm64) echo "this machine is one" && return ;;
    esac
    for program in aarch64-linux-gnu-gcc qemu-aarch64 dpkg-deb; do
        has_program "$program" >/dev/null || { echo "no $program" && return; }
    done
    [ ! -e /usr/aarch64-linux-gnu/include/stdio.h ] && echo "no headers for aarch64"
}

# apt_get_aarch64 DIRECTORY COMMAND...: apt-get as on an aarch64 machine, with its state in DIRECTORY/apt.
apt_get_aarch64()
{
    state=$1/apt
    shift
    mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
    apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User= \
        -o Dir::State::lists="$state/lists" -o Dir::State::status=/dev/null -o Dir::Cache="$state/cache" "$@"
}

# fetch_zlib DIRECTORY: zlib for aarch64, to DIRECTORY/usr. It is only unpacked: this system stays as it is.
fetch_zlib()
{
    [ -e "$1/usr/lib/aarch64-linux-gnu/libz.a" ] && return
    (
        mkdir -p "$1" && cd "$1" || exit 1
        apt_get_aarch64 "$PWD" update && apt_get_aarch64 "$PWD" download zlib1g-dev && dpkg-deb -x zlib1g-dev_*.deb .
    )
}

# aarch64_tests DIRECTORY: the compiled tests, as scripts start tools, but those that also start them (damaged-containers,
# resident), wait for a GPU (pin), measure the memory of this process, here the emulator's (workspace), or take long and
# run no code of their own for a machine (predicate-texts, run-store).
aarch64_tests()
{
    (cd "$1" && find t -name '*.t' -type f) | sort |
        grep -v -e /damaged-containers.t -e /resident.t -e /pin.t -e /workspace.t -e /predicate-texts.t -e /run-store.t
}
