# Prints the line $2 as it is after Tab, with the completion in the file $1. Only a terminal completes in zsh.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= fpath=('${1:h}' \$fpath); stty -echo; autoload -U compinit; compinit -u -D
answer() { zle complete-word; print -r -- \"<\${BUFFER% }\"'>' }; zle -N answer; bindkey '^X' answer; print read''y"
zpty -r shell seen '*ready*'
zpty -n -w shell "$2"$'\x18'
zpty -r shell seen '*<*>*'
print -r -- ${${seen##*<}%%>*}
