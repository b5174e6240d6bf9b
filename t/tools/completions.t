#!/bin/sh
# completions.t - bash, zsh and fish complete the tools' options, their values and files, from what the tools say.
srcdir=${srcdir:-.}
# shellcheck source=t/support/tap.sh
. "$srcdir/t/support/tap.sh"
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
completions=$(cd "$srcdir/tools/completions" && pwd)
log=$folder/log
mkdir "$folder/files" "$folder/fish" "$folder/zsh"
touch "$folder/files/data.bin"
for tool in gpusort gpucompact gpurle gpuscan gpuimg; do
    cp "$completions/scankit.fish" "$folder/fish/$tool.fish"
done
cp "$completions/_scankit" "$folder/zsh"

# expect NAME WANTED...: the completions are in the log, a line each.
expect()
{
    name=$1
    shift
    for wanted; do
        grep -q -x -e "$wanted" "$log" || break
        shift
    done
    report $# "$name" "$log"
}

for tool in gpusort gpucompact gpurle gpuscan gpuimg; do
    $tool --list-options >"$log"
    awk -F '\t' 'NF != 6 { exit 1 }' "$log" && [ "$(cut -f 2 "$log" | sort | uniq -d)" = '' ] &&
        $tool --help | grep -o -e ' --[a-z-]*' | sort -u >"$folder/helped" &&
        cut -f 2 "$log" | sed 's/^/ /' | sort -u | diff - "$folder/helped" >/dev/null
    report $? "$tool --list-options has the options of --help" "$log"
done

# ---- bash ----

# in_bash WORD...: completes the last word. Bash gives = as a word of its own.
in_bash()
{
    cat >"$folder/script.bash" <<'SCRIPT'
. "$1/scankit.bash"
cd "$2" || exit 1
shift 2
compopt() { :; }
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_scankit
printf '%s\n' "${COMPREPLY[@]}"
SCRIPT
    bash "$folder/script.bash" "$completions" "$folder/files" "$@" >"$log" 2>&1
}

if command -v bash >/dev/null; then
    in_bash gpusort --re && expect "bash: an option" --reverse
    in_bash gpusort --ty && expect "bash: an option with an argument" --type=
    in_bash gpusort --type = u3 && expect "bash: a value after =" u32
    in_bash gpusort -t f && expect "bash: a value after a letter" f16 f32 f64
    in_bash gpuscan --op = && expect "bash: all values" sum max affine
    in_bash gpusort --endian = b && expect "bash: a value of the argument's" big
    in_bash gpurle -z d && expect "bash: a file after an optional argument" data.bin
    in_bash gpucompact --output = da && expect "bash: a file as an argument" data.bin
else
    report 0 "bash # SKIP there is no bash"
fi

# ---- zsh ----

# in_zsh TEXT: types the text and a tab in a terminal of zsh, and notes the words that it shows. The line is shown again
# behind the last one.
in_zsh()
{
    cat >"$folder/script.zsh" <<'SCRIPT'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1='' ; cd $2; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -d $1/dump"
zpty -w shell "zstyle ':completion:*' list-separator ''; zstyle ':completion:*' list-packed false"
zpty -w shell "bindkey '^I' list-choices; LISTMAX=1000; COLUMNS=200; print -r READY"
repeat 50; do
    zpty -r -t shell line && [[ $line == READY* ]] && break
    [[ -z $line ]] && sleep 0.1
    line=
done
zpty -w -n shell $3$'\t'
repeat 15; do
    sleep 0.1
    while zpty -r -t shell line; do print -r -- $line; done
done
zpty -d shell
SCRIPT
    timeout 30 zsh -f "$folder/script.zsh" "$folder/zsh" "$folder/files" "$1" 2>&1 | tr -d '\r' |
        sed 's/\x1b\[[0-9;?]*[a-zA-Z]//g; s/gpu/ gpu/g' | tr -s ' ' '\n' >"$log"
}

if command -v zsh >/dev/null; then
    in_zsh 'gpusort --re' && expect "zsh: an option" --reverse
    in_zsh 'gpusort --type=f' && expect "zsh: values" f16 f32 f64
    in_zsh 'gpuscan --op ' && expect "zsh: values of a word of their own" sum affine
    in_zsh 'gpurle ./d' && expect "zsh: a file" '.*data.bin'
else
    report 0 "zsh # SKIP there is no zsh"
fi

# ---- fish ----

in_fish()
{
    (cd "$folder/files" && HOME=$folder fish --no-config -c "set -p fish_complete_path $folder/fish; complete -C '$1'") 2>&1 |
        cut -f 1 >"$log"
}

if command -v fish >/dev/null; then
    in_fish 'gpusort --rev' && expect "fish: an option" --reverse
    in_fish 'gpusort --type=u3' && expect "fish: a value after =" --type=u32
    in_fish 'gpusort -t f' && expect "fish: a value after a letter" f16 f32 f64
    in_fish 'gpuscan --op a' && expect "fish: a value of a word of its own" and affine
    in_fish 'gpurle d' && expect "fish: a file" data.bin
else
    report 0 "fish # SKIP there is no fish"
fi
echo "1..$number"
