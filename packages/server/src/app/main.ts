// The operator's command: parses the arguments and loads one of two bundles, the server or the other commands
// (docs/adr/0005). It answers --help, --version and invalid arguments itself, so nothing here may import Effect. Exits
// with 2 for an invalid command line.
import { Argument, Command, Option as Flag } from "commander"
import { homedir } from "node:os"
import { text } from "node:stream/consumers"
import { organizationStatuses, roles } from "../access/choices.ts"
import type { OrganizationStatus } from "../access/organization.ts"
import type { Role } from "../access/role.ts"
import {
  countOrNone,
  email,
  isOn,
  lifetime,
  limitOf,
  port,
  textUpTo,
} from "./commands/arguments.ts"
import { importedKinds } from "./commands/imported-kinds.ts"
import type { JsonFlag } from "./commands/run.ts"
import { type ImportFormat, importFormats } from "../people/imports/import-format.ts"
import { signalStores, type SignalStoreName } from "../intent/signals/copy/signal-stores.ts"
import { version } from "../version.ts"

const program = new Command("footfall-server")
  .description("Run and manage a Footfall server.")
  .version(version, "-v, --version")
  // What it was called before.
  .addOption(new Flag("-V").hideHelp())
  .on("option:V", () => {
    process.stdout.write(`${version}\n`)
    process.exit(0)
  })
  .showHelpAfterError()
  .configureHelp({ sortSubcommands: true })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))

const command = (name: string, description: string, parent: Command = program): Command =>
  parent.command(name).description(description).option("--json", "print one JSON document")

const commands = () => import("./commands/commands.ts")

interface StartFlags extends JsonFlag {
  readonly port?: number
  readonly host?: string
  readonly demo?: true
  readonly workersOnly?: true
  readonly workers: boolean
}

command("start", "Run the server: API, pixel host, workers.")
  .option("--port <n>", "port to listen on, overrides PORT (default 4100)", port)
  .option("--host <address>", "address to listen on, overrides HOST")
  .option("--demo", "add a demo organization with sample visitors and a page to an empty database")
  .addOption(
    new Flag("--workers-only", "run workers only, without serving requests").conflicts("workers"),
  )
  .option("--no-workers", "serve requests only, without workers")
  .addHelpText(
    "after",
    "\nExamples:\n  footfall-server start --demo\n  DATABASE_URL=postgres://… FOOTFALL_SECRET=… footfall-server start --port 8080",
  )
  .action(async (flags: StartFlags) => {
    const { startServer } = await import("./commands/start.ts")
    return startServer({ host: flags.host, port: flags.port }, flags, {
      isDemo: flags.demo === true,
      serves: flags.workersOnly !== true,
      works: flags.workers,
      platform: process.platform,
      homeDirectory: homedir(),
      hasColor: process.stdout.isTTY === true && process.stdout.hasColors(),
    })
  })

/** On the terminal; Enter alone means yes. */
const ask = async (question: string): Promise<boolean> => {
  const { createInterface } = await import("node:readline/promises")
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [Y/n] `)
  terminal.close()
  return !/^\s*n/i.test(answer)
}

interface InitFlags extends JsonFlag {
  readonly organization: string
  readonly email: string
  readonly passwordStdin?: true
  readonly starterTopics?: boolean
}

command("init", "Create the first organization, its owner and its first API key.")
  .requiredOption("--organization <name>", "name of the organization", textUpTo(160))
  .requiredOption("--email <address>", "email address of the owner", email)
  .option(
    "--password-stdin",
    "read the owner's password from standard input (default: generate one)",
  )
  .option("--starter-topics", "load the starter catalog of topics (default: prompts in a terminal)")
  .option("--no-starter-topics", "leave the catalog empty")
  .action(async (flags: InitFlags) => {
    const password = flags.passwordStdin
      ? (await text(process.stdin)).replace(/\r?\n$/, "")
      : undefined
    const { init, runCommand } = await commands()
    return runCommand(
      flags,
      init({
        organization: flags.organization,
        email: flags.email,
        password,
        hasStarterTopics: flags.starterTopics,
        ask: flags.json !== true && process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
      }),
    )
  })

command(
  "starter-topics",
  "Load the starter catalog: the topics that ship with the server, with the words that identify each one.",
).action(async (flags: JsonFlag) => {
  const { loadStarterTopics, runCommand } = await commands()
  return runCommand(flags, loadStarterTopics())
})

const keys = program.command("keys").description("Manage API keys.")

command("create", "Create an API key. It is shown once.", keys)
  .requiredOption("--organization <id>", "id of the organization")
  .requiredOption("--name <name>", "what the key is for", textUpTo(100))
  .action(async (flags: JsonFlag & { readonly organization: string; readonly name: string }) => {
    const { createKey, runCommand } = await commands()
    return runCommand(flags, createKey({ organizationId: flags.organization, name: flags.name }))
  })

command("list", "List the API keys of every organization, without their secrets.", keys).action(
  async (flags: JsonFlag) => {
    const { listKeys, runCommand } = await commands()
    return runCommand(flags, listKeys())
  },
)

command("revoke", "Revoke an API key. Running servers reject it within 5 seconds.", keys)
  .argument("<id>", "id of the key")
  .action(async (id: string, flags: JsonFlag) => {
    const { revokeKey, runCommand } = await commands()
    return runCommand(flags, revokeKey(id))
  })

interface TokenFlags extends JsonFlag {
  readonly email: string
  /** Units: seconds. */
  readonly ttl: number
  readonly baseUrl?: string
}

command("token", "Create an access token for a script.")
  .requiredOption("--email <address>", "email address of the user", email)
  .addOption(
    new Flag("--ttl <time>", "how long it is valid, such as 90s, 30m, 1h or 7d")
      .argParser(lifetime)
      .default(3_600, "1h"),
  )
  .option("--base-url <url>", "public URL of the server, overrides BASE_URL")
  .action(async (flags: TokenFlags) => {
    const { issueToken, runCommand } = await commands()
    return runCommand(flags, issueToken({ email: flags.email, lifetimeSeconds: flags.ttl }), {
      baseUrl: flags.baseUrl,
    })
  })

const members = program.command("members").description("Manage members.")

interface EmailFlags extends JsonFlag {
  readonly email: string
}

interface MemberFlags extends JsonFlag {
  readonly organization: string
  readonly email: string
  readonly role: Role
}

command("list", "List the members of an organization.", members)
  .requiredOption(
    "--organization <id>",
    "id of the organization (footfall-server organizations list)",
  )
  .action(async (flags: JsonFlag & { readonly organization: string }) => {
    const { listMembers, runCommand } = await commands()
    return runCommand(flags, listMembers(flags.organization))
  })

command("add", "Invite a member.", members)
  // The command line of the API calls it so.
  .alias("create")
  .requiredOption("--organization <id>", "id of the organization")
  .requiredOption("--email <address>", "email address of the user", email)
  .addOption(new Flag("--role <role>", "role of the member").choices(roles).makeOptionMandatory())
  .action(async (flags: MemberFlags) => {
    const { addMember, runCommand } = await commands()
    return runCommand(
      flags,
      addMember({ organizationId: flags.organization, email: flags.email, role: flags.role }),
    )
  })

command(
  "reset",
  "Sign a user out everywhere and invite them again, for a forgotten password or an account with someone else's email address.",
  members,
)
  .requiredOption("--email <address>", "email address of the user", email)
  .action(async (flags: EmailFlags) => {
    const { resetMember, runCommand } = await commands()
    return runCommand(flags, resetMember({ email: flags.email }))
  })

const organizations = program
  .command("organizations")
  .description("Manage organizations: status and limits.")

command("list", "List the organizations of this installation.", organizations).action(
  async (flags: JsonFlag) => {
    const { listOrganizations, runCommand } = await commands()
    return runCommand(flags, listOrganizations())
  },
)

interface OrganizationFlags extends JsonFlag {
  readonly status?: OrganizationStatus
  readonly creditLimit?: number | "none"
  readonly intent?: "on" | "off"
  readonly intentSlots?: number | "none"
  readonly oneShot?: "on" | "off"
}

command("set", "Update status and limits. Options you leave out stay the same.", organizations)
  .argument("<id>", "id of the organization")
  .addOption(
    new Flag("--status <status>", "status of the organization").choices(organizationStatuses),
  )
  .option("--credit-limit <n|none>", "credits per calendar month", countOrNone)
  .addOption(new Flag("--intent <on|off>", "access to the intent API").choices(["on", "off"]))
  .option("--intent-slots <n|none>", "active audiences", countOrNone)
  .addOption(new Flag("--one-shot <on|off>", "one-shot audiences").choices(["on", "off"]))
  .action(async (id: string, flags: OrganizationFlags) => {
    const { runCommand, setOrganization } = await commands()
    return runCommand(
      flags,
      setOrganization(id, {
        status: flags.status,
        creditLimit: limitOf(flags.creditLimit),
        isIntentEnabled: isOn(flags.intent),
        intentSlots: limitOf(flags.intentSlots),
        isOneShotEligible: isOn(flags.oneShot),
      }),
    )
  })

interface ImportFlags extends JsonFlag {
  readonly format?: ImportFormat
  readonly organization?: string
  readonly shared?: true
}

program
  .command("import")
  .description("Import topics, signals, people or links from a file, or from standard input (-).")
  .addArgument(new Argument("<what>", "what to import").choices(Object.keys(importedKinds)))
  .argument("<file>", "NDJSON or CSV, plain or gzipped; - for standard input")
  .addOption(
    new Flag("--format <format>", "format of the file (default: from its name)").choices(
      importFormats,
    ),
  )
  .option("--organization <id>", "organization to import into (default: the operator organization)")
  .option("--shared", "import people or links for every organization on this server")
  .option("--json", "print one JSON document")
  .addHelpText(
    "after",
    "\nExamples:\n  footfall-server import people people.csv.gz\n  zcat links.gz | footfall-server import links - --format ndjson --shared",
  )
  .action(async (what: keyof typeof importedKinds, file: string, flags: ImportFlags) => {
    const { importFile, runCommand } = await commands()
    return runCommand(
      flags,
      importFile({
        what,
        file,
        format: flags.format,
        organizationId: flags.organization,
        isShared: flags.shared === true,
        hasTerminal: process.stderr.isTTY === true,
        standardInput: process.stdin,
        /** Some rows were rejected; the others were imported. spec 1.1. */
        onRejected: () => {
          process.exitCode = 3
        },
      }),
    )
  })

command("migrate", "Update the database schema.").action(async (flags: JsonFlag) => {
  const { migrate, runBare } = await commands()
  return runBare(flags, migrate())
})

const signals = program.command("signals").description("Manage imported signals.")

command("copy", "Move all imported signals to ClickHouse, or back to Postgres.", signals)
  .addOption(
    new Flag("--to <store>", "the store that takes them")
      .choices(signalStores)
      .makeOptionMandatory(),
  )
  .addHelpText(
    "after",
    "\nEach date moves as a whole, while servers run and answer. Set CLICKHOUSE_URL on every server first. If the command is\n" +
      "interrupted, run it again: it continues with the dates that are left.\n\n" +
      "Examples:\n  footfall-server signals copy --to clickhouse\n  footfall-server signals copy --to postgres",
  )
  .action(async (flags: JsonFlag & { readonly to: SignalStoreName }) => {
    const { copySignals, runCommand } = await commands()
    return runCommand(flags, copySignals(flags.to))
  })

const secrets = program.command("secrets").description("Manage the secret of this installation.")

command(
  "rotate",
  "Encrypt the data keys with the first value of FOOTFALL_SECRET, or with a new secret.",
  secrets,
)
  .option(
    "--keep-former",
    "keep the old secret in DATA_DIR/secret, so that everything it signed stays valid",
  )
  .addHelpText(
    "after",
    "\nIf DATA_DIR/secret is in use, creates a new secret and writes it there. Otherwise set both values:\n" +
      "  FOOTFALL_SECRET=new,old footfall-server secrets rotate",
  )
  .action(async (flags: JsonFlag & { readonly keepFormer?: true }) => {
    const { rotateSecrets, runBare } = await commands()
    return runBare(flags, rotateSecrets({ keepsFormer: flags.keepFormer === true }))
  })

command("reset", "Delete the data that a lost secret encrypted. Stop every server first.", secrets)
  .requiredOption("--yes", "confirm that the secret is lost for good")
  .action(async (flags: JsonFlag) => {
    const { resetSecrets, runBare } = await commands()
    return runBare(flags, resetSecrets())
  })

interface DoctorFlags extends JsonFlag {
  readonly port?: number
  readonly host?: string
}

command("doctor", "Check this installation, and show how to fix any problems.")
  .option("--port <n>", "port to listen on, overrides PORT (default 4100)", port)
  .option("--host <address>", "address to listen on, overrides HOST")
  .action(async (flags: DoctorFlags) => {
    const { doctor } = await commands()
    process.exit((await doctor(flags, { host: flags.host, port: flags.port })) ? 0 : 1)
  })

await program.parseAsync()
