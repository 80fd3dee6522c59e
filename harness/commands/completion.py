"""Completion of verbs, options and corpora in bash and zsh: a script made from the parsers."""

import argparse

SHELLS = ("bash", "zsh")
SCRIPT = """\
_crosscheck() {
    local word=${COMP_WORDS[COMP_CWORD]} words
    case "${COMP_WORDS[1]}" in
%s
    esac
    if [[ $COMP_CWORD == 1 ]]; then
        COMPREPLY=($(compgen -W '%s' -- "$word"))
    else
        COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word"))
    fi
}
complete -o filenames -F _crosscheck crosscheck
"""
ZSH = "autoload -Uz bashcompinit && bashcompinit\n"


def script(top: argparse.ArgumentParser, shell: str) -> str:
    """Return the script for a shell: `eval "$(crosscheck --completion bash)"`."""
    from puzzles.corpora import shipped

    (verbs,) = (action for action in top._actions if isinstance(action, argparse._SubParsersAction))
    corpora = [corpus.name for corpus in shipped()]
    cases = []
    for name, verb in verbs.choices.items():
        options = [option for action in verb._actions for option in action.option_strings if option.startswith("--")]
        takes_corpora = {"corpus", "puzzle"} & {action.dest for action in verb._actions}
        cases.append(f"    {name}) words='{' '.join([*options, *(corpora if takes_corpora else ())])}' ;;")
    first = " ".join([*verbs.choices, *(option for action in top._actions for option in action.option_strings)])
    return ZSH * (shell == "zsh") + SCRIPT % ("\n".join(cases), first)
