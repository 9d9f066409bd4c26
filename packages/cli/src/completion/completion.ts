// `footfall completion`: prints a script that completes commands, options and their values.

import { Argument } from "commander"
import { define } from "../command/define.ts"
import { jsonDocument } from "../output/json.ts"
import { isJsonGiven } from "../output/output-format.ts"
import { writeOut } from "../terminal/terminal.ts"

const shells = ["bash", "zsh", "fish", "powershell"] as const

type Shell = (typeof shells)[number]

export const completionCommand = define<object, [shell: Shell]>("completion", {
  takes: (command) => command.addArgument(new Argument("<shell>", "the shell").choices(shells)),
  examples: [
    "footfall completion bash > ~/.local/share/bash-completion/completions/footfall",
    'footfall completion zsh > "${fpath[1]}/_footfall"',
    "footfall completion fish > ~/.config/fish/completions/footfall.fish",
    "footfall completion powershell | Out-File -Append -Encoding utf8 $PROFILE",
  ],
  run: async ({ options, terminal, wholeProgram }, shell) => {
    const { places } = await import("./words.ts")
    const script = (await scripts[shell]())(places(await wholeProgram()))
    // A script even in a pipe, because that is where it always goes.
    await writeOut(
      terminal,
      isJsonGiven(options) ? jsonDocument({ data: { shell, script } }) : script,
    )
  },
})

const scripts = {
  bash: async () => (await import("./bash.ts")).bashScript,
  zsh: async () => (await import("./zsh.ts")).zshScript,
  fish: async () => (await import("./fish.ts")).fishScript,
  powershell: async () => (await import("./powershell.ts")).powershellScript,
}
