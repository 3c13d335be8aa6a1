import { quote } from '../../shared/story/commands.ts';
import type { CommandLine } from '../terminal/command.ts';
import type { Options } from '../terminal/option-form.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Words, each with a description, which may be empty. */
type Offer = ReadonlyMap<string, string>;

interface Completions {
  /** The words that begin a command: `payments`, `payments create`. */
  readonly commands: readonly string[];
  /** The options whose next word is their value. */
  readonly valued: readonly string[];
  /**
   * What can be typed, with what it means: the next word of a command or its argument by the command and the index
   * (`payments:0`, `simulate:1`), its options by the command, the choices of an option by the option (`--method`).
   */
  readonly offers: ReadonlyMap<string, Offer>;
}

function completionsOf({ options: ofLine = {}, commands }: CommandLine): Completions {
  const prefixes = new Set<string>();
  const valued = new Set<string>();
  const offers = new Map<string, Map<string, string>>();
  const add = (key: string, word: string, says = '') => {
    const offer = offers.get(key) ?? new Map<string, string>();
    offers.set(key, offer.set(word, offer.get(word) || says));
  };
  const addOptions = (words: string, options: Options) => {
    for (const [name, { value, says, choices = [] }] of Object.entries(options)) {
      add(words, `--${name}`, says);
      if (value !== undefined) {
        valued.add(`--${name}`);
        for (const choice of choices) {
          add(`--${name}`, choice);
        }
      }
    }
  };
  for (const [name, { says, options = {}, choices = [], shared = ofLine }] of Object.entries(commands)) {
    const words = name.split(' ');
    for (const [index, word] of words.entries()) {
      const isWhole = index === words.length - 1;
      add(`${words.slice(0, index).join(' ')}:0`, word, isWhole ? says : '');
      prefixes.add(words.slice(0, index + 1).join(' '));
    }
    addOptions(name, { ...options, ...shared });
    add(name, '--help', 'prints the help');
    for (const [index, argument] of choices.entries()) {
      for (const choice of argument) {
        add(`${name}:${index}`, choice);
      }
    }
  }
  return { commands: [...prefixes], valued: [...valued], offers };
}

/** The script that a shell reads at its start to complete `pg`: `source <(pg completion bash)`. */
export function completionScript(shell: Shell, line: CommandLine): string {
  const completions = completionsOf(line);
  return SCRIPTS[shell](completions);
}

const SCRIPTS: Readonly<Record<Shell, (completions: Completions) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/*
 * Each script walks through the words before the one that is typed: the value of an option is skipped, the longest
 * beginning that is a command is the command, and every other word is an argument.
 */

function bashScript({ commands, valued, offers }: Completions): string {
  const cases = [...offers].map(([key, offered]) => `    '${key}') echo '${wordsOf(offered)}' ;;`);
  return `_pg_offer() {
  case $1 in
${cases.join('\n')}
  esac
}
_pg() {
  local word= command= option= next= position=0
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    # bash makes a word of its own of the sign between an option and its value.
    if [[ $word == "=" ]]; then continue; fi
    if [[ -n $option ]]; then option=; continue; fi
    case $word in
      ${valued.join('|')}) option=$word; continue ;;
      -*) continue ;;
    esac
    case "\${command:+$command }$word" in
      ${commands.map((words) => `'${words}'`).join('|')}) command="\${command:+$command }$word" ;;
      *) position=$((position + 1)) ;;
    esac
  done
  if [[ -n $option ]]; then
    next=$(_pg_offer "$option")
  else
    next="$(_pg_offer "$command:$position") $(_pg_offer "$command")"
  fi
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _pg pg`;
}

/** Sourced, or read as the file `_pg` of a folder of `$fpath`. */
function zshScript({ commands, valued, offers }: Completions): string {
  const described = ([word, says]: readonly [string, string]) =>
    quote(`${word.replaceAll(':', '\\:')}${says === '' ? '' : `:${says}`}`);
  const cases = [...offers].map(
    ([key, offered]) => `    ('${key}') offers=(${[...offered].map(described).join(' ')}) ;;`,
  );
  return `#compdef pg
_pg_offer() {
  offers=()
  case $1 in
${cases.join('\n')}
  esac
}
_pg() {
  local word command= option= position=0
  local -a offers
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $option ]]; then option=; continue; fi
    case $word in
      (${valued.join('|')}) option=$word; continue ;;
      (-*) continue ;;
    esac
    case "\${command:+$command }$word" in
      (${commands.map((words) => `'${words}'`).join('|')}) command="\${command:+$command }$word" ;;
      (*) (( position += 1 )) ;;
    esac
  done
  if [[ -z $option && $words[CURRENT] == --*=* ]]; then
    option=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  if [[ -n $option ]]; then
    _pg_offer $option
    if (( $#offers )); then _describe -t values value offers; else _files; fi
    return
  fi
  local found=1
  _pg_offer "$command:$position"
  _describe -t words word offers && found=0
  _pg_offer "$command"
  _describe -o -t options option offers && found=0
  (( found )) && [[ $PREFIX != -* ]] && _files && found=0
  return found
}
if [[ $funcstack[1] == _pg ]]; then
  _pg "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _pg pg
fi`;
}

function wordsOf(offer: Offer): string {
  return [...offer.keys()].join(' ');
}

function fishScript({ commands, valued, offers }: Completions): string {
  const rows = [...offers].map(
    ([key, offered]) => `complete -c pg -f -n '__pg_is "${key}"' -a '${wordsOf(offered)}'`,
  );
  return `function __pg_is
  set -l command
  set -l option
  set -l position 0
  for word in (commandline -opc)[2..-1]
    if test -n "$option"
      set option
      continue
    end
    switch $word
      case ${valued.join(' ')}
        set option $word
      case '-*'
      case '*'
        set -l words (string trim "$command $word")
        if contains -- $words ${commands.map((words) => `'${words}'`).join(' ')}
          set command $words
        else
          set position (math $position + 1)
        end
    end
  end
  if test -n "$option"
    test "$argv[1]" = "$option"
  else
    contains -- "$argv[1]" "$command:$position" "$command"
  end
end
${rows.join('\n')}`;
}
