import { Argument, Command } from 'commander'

// Shell completion, generated from the command tree. Completes no names of hosts or instances, so that pressing Tab
// sends no request.

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

export function completionCommand(root: () => Command): Command {
  return new Command('completion')
    .description('print the completion script for a shell: source <(berth completion bash)')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: Shell) => console.log(SCRIPTS[shell](pathsOf(root()))))
}

interface Path {
  /** Words after `berth`, such as `migrations start`. */
  readonly at: string
  readonly words: readonly string[]
}

function pathsOf(command: Command, at: readonly string[] = []): readonly Path[] {
  const words = [
    ...command.commands.map((each) => each.name()),
    ...command.options.flatMap(({ long }) => long ?? []),
    '--help',
  ]
  return [{ at: at.join(' '), words }, ...command.commands.flatMap((each) => pathsOf(each, [...at, each.name()]))]
}

function bash(paths: readonly Path[]): string {
  const cases = paths.map(({ at, words }) => `    "${at}") words="${words.join(' ')}" ;;`)
  return `_berth() {
  local at="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) [[ " ${depths(paths)} " == *" \${at:+$at/}$word "* ]] && at="\${at:+$at/}$word" ;; esac
  done
  case "\${at//\\// }" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _berth berth`
}

/** Paths with slashes instead of spaces, so that each is one word. */
const depths = (paths: readonly Path[]) =>
  paths
    .map(({ at }) => at.replaceAll(' ', '/'))
    .filter(Boolean)
    .join(' ')

const zsh = (paths: readonly Path[]) => `autoload -Uz bashcompinit && bashcompinit\n${bash(paths)}`

function fish(paths: readonly Path[]): string {
  return paths
    .flatMap(({ at, words }) => {
      const [noun, verb] = at.split(' ')
      const seen = noun ? `__fish_seen_subcommand_from ${noun}` : '__fish_use_subcommand'
      const when = verb ? `${seen}; and __fish_seen_subcommand_from ${verb}` : seen
      return words.map((word) =>
        word.startsWith('--')
          ? `complete -c berth -n '${when}' -l ${word.slice(2)}`
          : `complete -c berth -f -n '${when}' -a ${word}`,
      )
    })
    .join('\n')
}

const SCRIPTS: Readonly<Record<Shell, (paths: readonly Path[]) => string>> = { bash, zsh, fish }
