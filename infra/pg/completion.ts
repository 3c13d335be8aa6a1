import type { CommandLine } from '../terminal/command.ts';
import type { Options } from '../terminal/option-form.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

interface Completions {
  /** The words that begin a command: `payments`, `payments create`. */
  readonly commands: readonly string[];
  /** The options whose next word is their value. */
  readonly valued: readonly string[];
  /**
   * What can be typed: the next word of a command or its argument by the command and the index (`payments:0`,
   * `simulate:1`), its options by the command, the choices of an option by the option (`--method`).
   */
  readonly offers: ReadonlyMap<string, readonly string[]>;
}

function completionsOf({ options: ofLine = {}, commands }: CommandLine): Completions {
  const prefixes = new Set<string>();
  const valued = new Set<string>();
  const offers = new Map<string, Set<string>>();
  const add = (key: string, ...offered: readonly string[]) =>
    offers.set(key, new Set([...(offers.get(key) ?? []), ...offered]));
  const addOptions = (words: string, options: Options) => {
    for (const [name, { value, choices = [] }] of Object.entries(options)) {
      add(words, `--${name}`);
      if (value !== undefined) {
        valued.add(`--${name}`);
        add(`--${name}`, ...choices);
      }
    }
  };
  for (const [name, { options = {}, choices = [], shared = ofLine }] of Object.entries(commands)) {
    const words = name.split(' ');
    for (const [index, word] of words.entries()) {
      add(`${words.slice(0, index).join(' ')}:0`, word);
      prefixes.add(words.slice(0, index + 1).join(' '));
    }
    addOptions(name, { ...options, ...shared });
    add(name, '--help');
    for (const [index, argument] of choices.entries()) {
      add(`${name}:${index}`, ...argument);
    }
  }
  const filled = [...offers].flatMap(([key, offered]) =>
    offered.size === 0 ? [] : ([[key, [...offered]]] as const),
  );
  return { commands: [...prefixes], valued: [...valued], offers: new Map(filled) };
}

/** The script that a shell reads at its start to complete `pg`: `source <(pg completion bash)`. */
export function completionScript(shell: Shell, line: CommandLine): string {
  const completions = completionsOf(line);
  if (shell === 'fish') {
    return fishScript(completions);
  }
  const zsh = ['autoload -U +X compinit && compinit', 'autoload -U +X bashcompinit && bashcompinit'];
  return [...(shell === 'zsh' ? zsh : []), bashScript(completions)].join('\n');
}

/*
 * Each script walks through the words before the one that is typed: the value of an option is skipped, the longest
 * beginning that is a command is the command, and every other word is an argument.
 */

function bashScript({ commands, valued, offers }: Completions): string {
  const cases = [...offers].map(([key, offered]) => `    '${key}') echo '${offered.join(' ')}' ;;`);
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

function fishScript({ commands, valued, offers }: Completions): string {
  const rows = [...offers].map(
    ([key, offered]) => `complete -c pg -f -n '__pg_is "${key}"' -a '${offered.join(' ')}'`,
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
