/** Shells that there is a completion script for. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The answer where a file of this machine may stand: the shell completes those itself, and nowhere else. */
export const filesAnswer = ':files';

/**
 * The completion script of a shell for a program. It only asks: the answers come from the hidden command
 * `PROGRAM __complete -- WORD…`, one `value<TAB>description` per line, so they are never out of date. A value is the whole word,
 * with `--flag=` in front where it is typed so.
 */
export function completionScript(shell: Shell, program: string): string {
  return scripts[shell](program);
}

const scripts: Readonly<Record<Shell, (program: string) => string>> = {
  // bash breaks words at = and :, and replaces only what is behind the last of them. The words are put together again as they
  // stand in the line, and what bash will not replace is taken off the answers.
  bash: (program) => `_${program}() {
  local IFS=$'\\n' line=$COMP_LINE word rest value kept
  local -a words=() found=()
  for word in "\${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    rest=\${line#"\${line%%[![:space:]]*}"}
    if ((\${#words[@]})) && [[ $rest == "$line" ]]; then
      words[\${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
    line=\${rest#"$word"}
  done
  word=\${words[\${#words[@]}-1]}
  while read -r value; do found+=("\${value%%$'\\t'*}"); done < <(
    "\${COMP_WORDS[0]}" __complete -- "\${words[@]:1}" 2>/dev/null
  )
  COMPREPLY=()
  if [[ \${found[0]-} == ${filesAnswer} ]]; then
    compopt -o default 2>/dev/null
    return
  fi
  kept=
  for ((value = 0; value < \${#word}; value++)); do
    if [[ \${word:value:1} == [=:] && $COMP_WORDBREAKS == *"\${word:value:1}"* ]]; then kept=\${word:0:value+1}; fi
  done
  for value in \${found[@]+"\${found[@]}"}; do COMPREPLY+=("\${value#"$kept"}"); done
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -F _${program} ${program}
`,
  zsh: (program) => `#compdef ${program}
_${program}() {
  local -a values descriptions
  local line
  while IFS= read -r line; do
    values+=("\${line%%$'\\t'*}")
    descriptions+=("\${line//$'\\t'/  -- }")
  done < <("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if [[ "\${values[1]}" = ${filesAnswer} ]]; then
    compset -P '--[^=]#='
    _files
  elif (( \${#values} )); then
    local -a open
    [[ "\${values[1]}" = *= ]] && open=(-S '')
    compadd "\${(@)open}" -l -d descriptions -a values
  fi
}
if [[ "\${funcstack[1]}" = _${program} ]]; then _${program} "$@"; else compdef _${program} ${program}; fi
`,
  fish: (program) => `function __${program}_complete
  set -l token (commandline -ct)
  set -l words (commandline -opc) $token
  set -l found (${program} __complete -- $words[2..-1] 2>/dev/null)
  if test "$found[1]" = ${filesAnswer}
    set -l flag (string match -r -- '^--[^=]+=' $token)
    __fish_complete_path (string replace -r -- '^--[^=]+=' '' $token) | string replace -r -- '^' "$flag"
  else if test (count $found) -gt 0
    printf '%s\\n' $found
  end
end
complete -c ${program} -e
complete -c ${program} -f -a '(__${program}_complete)'
`,
};
