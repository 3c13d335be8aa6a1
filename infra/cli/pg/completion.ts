import type { CommandLine } from '../../machine/command.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** What can follow the words of a command line: the next words, and the options of a command. By the words before. */
export function completionsOf({
  options: shared = {},
  commands,
}: CommandLine): ReadonlyMap<string, string[]> {
  const following = new Map<string, Set<string>>();
  const add = (words: string, next: string) =>
    following.set(words, (following.get(words) ?? new Set()).add(next));
  for (const [name, { options = {} }] of Object.entries(commands)) {
    const words = name.split(' ');
    for (const [place, word] of words.entries()) {
      add(words.slice(0, place).join(' '), word);
    }
    for (const option of [...Object.keys(options), ...Object.keys(shared), 'help']) {
      add(name, `--${option}`);
    }
  }
  return new Map([...following].map(([words, next]) => [words, [...next]]));
}

/** The script that a shell reads at its start to complete `pg`: `source <(pg completion bash)`. */
export function completionScript(shell: Shell, line: CommandLine): string {
  const completions = [...completionsOf(line)];
  if (shell === 'fish') {
    const rows = completions.map(
      ([words, next]) => `complete -c pg -f -n 'test "$(__pg_words)" = "${words}"' -a '${next.join(' ')}'`,
    );
    return [FISH_WORDS, ...rows].join('\n');
  }
  const cases = completions.map(([words, next]) => `    '${words}') next='${next.join(' ')}' ;;`);
  return [
    ...(shell === 'zsh'
      ? ['autoload -U +X compinit && compinit', 'autoload -U +X bashcompinit && bashcompinit']
      : []),
    BASH_BEGINNING,
    ...cases,
    BASH_END,
  ].join('\n');
}

/* Words that begin with a dash, and ids, lead to no other command: they are left out of the words before. */

const FISH_WORDS = `function __pg_words
  string join ' ' (string match -rv '^-|_' (commandline -opc)[2..-1])
end`;

const BASH_BEGINNING = `_pg() {
  local words=() word next=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*|*_*) ;; *) words+=("$word") ;; esac
  done
  case "\${words[*]}" in`;
const BASH_END = `  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _pg pg`;
