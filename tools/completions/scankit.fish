# scankit.fish - completion for fish, from what the tool's own --list-options says. Installed under each tool's name.
set -l tool (basename (status filename) .fish)
$tool --list-options 2>/dev/null | while read -d \t -l letter name kind argument values help
    set -l option -c $tool -l (string replace -- -- '' $name) -d $help
    test $letter != -; and set -a option -s (string replace -- - '' $letter)
    test $kind = required; and set -a option -r
    if test $values != -
        set -a option -f -a $values
    else if test $kind != none; and not string match -qr 'FILE|DIR' -- $argument
        set -a option -f
    end
    complete $option
end
