export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/**
 * The completion script of a shell. It only asks: the answers come from the hidden command
 * `osctl __complete -- WORD…`, one `value<TAB>description` per line, so they are never out of date.
 */
export function completionScript(shell: Shell): string {
  return scripts[shell];
}

const scripts: Readonly<Record<Shell, string>> = {
  bash: `_osctl() {
  local IFS=$'\\n' value
  COMPREPLY=()
  while read -r value; do COMPREPLY+=("\${value%%$'\\t'*}"); done < <(
    "\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null
  )
}
complete -o default -F _osctl osctl
`,
  zsh: `#compdef osctl
_osctl() {
  local -a values descriptions
  local line
  while IFS= read -r line; do
    values+=("\${line%%$'\\t'*}")
    descriptions+=("\${line//$'\\t'/  -- }")
  done < <("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#values} )); then compadd -l -d descriptions -a values; else _files; fi
}
if [[ "\${funcstack[1]}" = _osctl ]]; then _osctl "$@"; else compdef _osctl osctl; fi
`,
  fish: `function __osctl_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (osctl __complete -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c osctl -e
complete -c osctl -f -a '(__osctl_complete)'
`,
};
