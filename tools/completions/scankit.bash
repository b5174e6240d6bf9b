# scankit.bash - completion for bash, from what the tool's own --list-options says.
# shellcheck shell=bash disable=SC2207 # values hold no spaces

_scankit()
{
    local tool=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local letter name kind argument values help names=() choices= files=yes

    # "--type=u3" is three words: --type, = and u3.
    if [[ $current == = ]]; then
        current=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    while IFS=$'\t' read -r letter name kind argument values help; do
        if [[ $kind == none ]]; then
            names+=("$name")
        else
            names+=("$name=")
        fi
        if [[ $kind != none && ($before == "$name" || ($before == "$letter" && $kind == required)) ]]; then
            choices=$values
            [[ $argument == *FILE* || $argument == *DIR* ]] || files=no
        fi
    done < <("$tool" --list-options 2>/dev/null)

    COMPREPLY=()
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "${names[*]}" -- "$current"))
        [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    elif [[ -n $choices && $choices != - ]]; then
        COMPREPLY=($(compgen -W "$choices" -- "$current"))
    elif [[ $files == yes ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}
complete -F _scankit gpusort gpucompact gpurle gpuscan gpuimg
