// `footfall completion`: a script that lets a shell complete commands, options and their values.

import { Argument, type Command } from "commander"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { jsonDocument } from "../../output/json.ts"
import { writeOut, type Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"

const shells = ["bash", "zsh", "fish"] as const
type Shell = (typeof shells)[number]

/** What the command takes and does; `wholeProgram` is what is completed. */
export const defineCompletion = (
  completion: Command,
  terminal: Terminal,
  wholeProgram: () => Promise<Command>,
): void => {
  completion
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .addHelpText(
      "after",
      examples(
        "footfall completion bash > ~/.local/share/bash-completion/completions/footfall",
        'footfall completion zsh > "${fpath[1]}/_footfall"',
        "footfall completion fish > ~/.config/fish/completions/footfall.fish",
      ),
    )
    .action(async (shell: Shell) => {
      const { places } = await import("../../completion/words.ts")
      const script = (await scripts[shell]())(places(await wholeProgram()))
      const { json } = completion.optsWithGlobals<GlobalOptions>()
      // A script even in a pipe, because that is where it always goes.
      await writeOut(terminal, json ? jsonDocument({ data: { shell, script } }) : script)
    })
}

const scripts = {
  bash: async () => (await import("../../completion/bash.ts")).bashScript,
  zsh: async () => (await import("../../completion/zsh.ts")).zshScript,
  fish: async () => (await import("../../completion/fish.ts")).fishScript,
}
