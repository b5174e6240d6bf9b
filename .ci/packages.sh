# shellcheck shell=sh
# packages.sh - finds missing packages and installs them with apt-get, for quickstart and .ci/run. Sourced.

missing=
wanted=

# need PACKAGE COMMAND...: notes that the package is missing if the command fails.
need()
{
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}

# want PACKAGE COMMAND...: the same for a package without which the build works, but does less.
want()
{
    package=$1
    shift
    "$@" >/dev/null 2>&1 || wanted="$wanted $package"
}

has_program()
{
    command -v "$1"
}

has_header()
{
    [ -e "/usr/include/$1" ] || printf '#include <%s>\n' "$1" | cc -E -
}

# give_up REASON: ends the script with the list of missing packages.
give_up()
{
    printf '%s\nPlease install these packages (named as in Debian), then run this again:\n %s\n' \
        "$1" "$missing" >&2
    exit 1
}

apt_get()
{
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends "$@"
}

# Succeeds if packages can be installed without a password.
is_permitted()
{
    as_root=
    [ "$(id -u)" -eq 0 ] && return 0
    as_root=sudo
    sudo -n true >/dev/null 2>&1
}

# Installs the packages that want() noted, those that apt-get has.
install_wanted()
{
    [ -n "$wanted" ] && has_program apt-get >/dev/null && is_permitted || return 0
    # The lists of a new container are empty.
    ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1 || apt_get update || return 0
    for package in $wanted; do
        if apt_get install --simulate "$package" >/dev/null 2>&1; then
            printf 'Installing with apt-get: %s\n' "$package"
            apt_get install "$package" || printf 'apt-get could not install %s; going on without it\n' "$package"
        fi
    done
    wanted=
}

# Installs the packages that need() and want() noted.
install_missing()
{
    install_needed
    install_wanted
}

install_needed()
{
    [ -n "$missing" ] || return 0
    has_program apt-get >/dev/null || give_up "Something is missing, and there is no apt-get to install it."
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        has_program sudo >/dev/null || give_up "Something is missing, and installing needs root or sudo."
        as_root=sudo
    fi
    printf 'Installing with apt-get:%s\n' "$missing"
    # shellcheck disable=SC2086 # a list of words
    if ! apt_get install --simulate $missing >/dev/null 2>&1; then
        apt_get update || give_up "The list of packages could not be fetched."
    fi
    # shellcheck disable=SC2086
    apt_get install $missing || give_up "apt-get could not install everything."
    missing=
}
