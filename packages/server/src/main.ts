// The operator's command: reads the arguments and runs one command, which ends the process (commands/run.ts).
// It ends with 2 when it was asked wrongly.
import { Argument, Command, Option as Flag } from "commander"
import { Duration, Effect, Redacted } from "effect"
import { homedir } from "node:os"
import { text } from "node:stream/consumers"
import { OrganizationStatus } from "./access/organization.ts"
import { Role } from "./access/role.ts"
import { Platform } from "./application.ts"
import {
  countOrNone,
  email,
  isOn,
  lifetime,
  limitOf,
  port,
  textUpTo,
} from "./commands/arguments.ts"
import { doctor } from "./commands/doctor.ts"
import { importedKinds, importFile } from "./commands/import.ts"
import { init } from "./commands/init.ts"
import { createKey, listKeys, revokeKey } from "./commands/keys.ts"
import { addMember } from "./commands/members.ts"
import { migrate } from "./commands/migrate.ts"
import { setOrganization } from "./commands/organizations.ts"
import { type JsonFlag, outputOf, run, runBare } from "./commands/run.ts"
import { resetSecrets, rotateSecrets } from "./commands/secrets.ts"
import { start } from "./commands/start.ts"
import { issueToken } from "./commands/token.ts"
import { type ImportFormat, importFormats } from "./people/import/import-format.ts"
import { version } from "./version.ts"

const program = new Command("footfall-server")
  .description("Runs Footfall and looks after its installation.")
  .version(version)
  .showHelpAfterError()
  .configureHelp({ sortSubcommands: true })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))

const command = (name: string, description: string, parent: Command = program): Command =>
  parent.command(name).description(description).option("--json", "print exactly one JSON document")

interface StartFlags extends JsonFlag {
  readonly port?: number
  readonly host?: string
  readonly demo?: true
  readonly workersOnly?: true
  readonly workers: boolean
}

command("start", "Run the server: API, pixel host, workers.")
  .option("--port <n>", "listening port, before PORT (default 4100)", port)
  .option("--host <address>", "listening address, before HOST")
  .option("--demo", "on an empty database: a demo organization with sample visitors and a page")
  .addOption(new Flag("--workers-only", "answer no requests").conflicts("workers"))
  .option("--no-workers", "run no workers in this process")
  .addHelpText(
    "after",
    "\nExamples:\n  footfall-server start --demo\n  DATABASE_URL=postgres://… FOOTFALL_SECRET=… footfall-server start --port 8080",
  )
  .action((flags: StartFlags) =>
    run(
      { role: "server", host: flags.host, port: flags.port },
      flags,
      start({
        isDemo: flags.demo === true,
        serves: flags.workersOnly !== true,
        works: flags.workers,
        platform: process.platform,
        homeDirectory: homedir(),
        directory: process.cwd(),
        hasColor: process.stdout.isTTY === true && process.stdout.hasColors(),
      }),
    ),
  )

interface InitFlags extends JsonFlag {
  readonly organization: string
  readonly email: string
  readonly passwordStdin?: true
}

command("init", "Make the first organization, its owner and its first API key.")
  .requiredOption("--organization <name>", "name of the organization", textUpTo(160))
  .requiredOption("--email <address>", "the owner's address", email)
  .option("--password-stdin", "read the owner's password from standard input; else one is made")
  .action(async (flags: InitFlags) => {
    const password = flags.passwordStdin
      ? (await text(process.stdin)).replace(/\r?\n$/, "")
      : undefined
    return run(
      { role: "command" },
      flags,
      init({
        organization: flags.organization,
        email: flags.email,
        password: password === undefined ? undefined : Redacted.make(password),
      }),
    )
  })

const keys = program.command("keys").description("API keys of an organization.")

command("create", "Make a key; it is shown once.", keys)
  .requiredOption("--organization <id>", "id of the organization")
  .requiredOption("--name <name>", "what the key is for", textUpTo(100))
  .action((flags: JsonFlag & { readonly organization: string; readonly name: string }) =>
    run(
      { role: "command" },
      flags,
      createKey({ organizationId: flags.organization, name: flags.name }),
    ),
  )

command("list", "List the keys of all organizations, without their secrets.", keys).action(
  (flags: JsonFlag) => run({ role: "command" }, flags, listKeys()),
)

command("revoke", "Revoke a key; running servers refuse it within 5 seconds.", keys)
  .argument("<id>", "id of the key")
  .action((id: string, flags: JsonFlag) => run({ role: "command" }, flags, revokeKey(id)))

interface TokenFlags extends JsonFlag {
  readonly email: string
  readonly ttl: Duration.Duration
  readonly baseUrl?: string
}

command("token", "Make a bearer access token for a script.")
  .requiredOption("--email <address>", "the user it is for", email)
  .addOption(
    new Flag("--ttl <time>", "how long it is valid, as 90s, 30m, 1h or 7d")
      .argParser(lifetime)
      .default(Duration.hours(1), "1h"),
  )
  .option("--base-url <url>", "public address of the server it is for, before BASE_URL")
  .action((flags: TokenFlags) =>
    run(
      { role: "command", baseUrl: flags.baseUrl },
      flags,
      issueToken({ email: flags.email, lifetime: flags.ttl }),
    ),
  )

const members = program.command("members").description("Members of an organization.")

interface MemberFlags extends JsonFlag {
  readonly organization: string
  readonly email: string
  readonly role: Role
}

command("add", "Add a member; a new user gets an invitation.", members)
  .requiredOption("--organization <id>", "id of the organization")
  .requiredOption("--email <address>", "the user's address", email)
  .addOption(
    new Flag("--role <role>", "what it may do").choices(Role.literals).makeOptionMandatory(),
  )
  .action((flags: MemberFlags) =>
    run(
      { role: "command" },
      flags,
      addMember({ organizationId: flags.organization, email: flags.email, role: flags.role }),
    ),
  )

const organizations = program
  .command("organizations")
  .description("What only the operator sets of an organization.")

interface OrganizationFlags extends JsonFlag {
  readonly status?: OrganizationStatus
  readonly creditLimit?: number | "none"
  readonly intent?: "on" | "off"
  readonly intentSlots?: number | "none"
  readonly oneShot?: "on" | "off"
}

command("set", "Set status and limits; what is not named stays.", organizations)
  .argument("<id>", "id of the organization")
  .addOption(new Flag("--status <status>", "its status").choices(OrganizationStatus.literals))
  .option("--credit-limit <n|none>", "credits of a calendar month", countOrNone)
  .addOption(new Flag("--intent <on|off>", "access to the intent API").choices(["on", "off"]))
  .option("--intent-slots <n|none>", "active audiences", countOrNone)
  .addOption(new Flag("--one-shot <on|off>", "one-shot audiences").choices(["on", "off"]))
  .action((id: string, flags: OrganizationFlags) =>
    run(
      { role: "command" },
      flags,
      setOrganization(id, {
        status: flags.status,
        creditLimit: limitOf(flags.creditLimit),
        isIntentEnabled: isOn(flags.intent),
        intentSlots: limitOf(flags.intentSlots),
        isOneShotEligible: isOn(flags.oneShot),
      }),
    ),
  )

interface ImportFlags extends JsonFlag {
  readonly format?: ImportFormat
  readonly organization?: string
  readonly shared?: true
}

/** Some rows were rejected, the others are in. spec 1.1. */
const doneInPart = 3

program
  .command("import")
  .description("Load topics, signals, people or links from a file, or from standard input with -.")
  .addArgument(new Argument("<what>", "what the rows are").choices(Object.keys(importedKinds)))
  .argument("<file>", "NDJSON or CSV, plain or gzipped; - is standard input")
  .addOption(
    new Flag("--format <format>", "where the name does not tell it").choices(importFormats),
  )
  .option("--organization <id>", "whose they are (default: the operator organization)")
  .option("--shared", "people or links for every organization of this server")
  .option("--json", "print exactly one JSON document")
  .addHelpText(
    "after",
    "\nExamples:\n  footfall-server import people people.csv.gz\n  zcat links.gz | footfall-server import links - --format ndjson --shared",
  )
  .action((what: keyof typeof importedKinds, file: string, flags: ImportFlags) =>
    run(
      { role: "command" },
      flags,
      importFile({
        what,
        file,
        format: flags.format,
        organizationId: flags.organization,
        isShared: flags.shared === true,
        hasTerminal: process.stderr.isTTY === true,
        standardInput: process.stdin,
      }).pipe(
        Effect.tap(({ rejectedCount }) =>
          Effect.sync(() => {
            if (rejectedCount > 0) process.exitCode = doneInPart
          }),
        ),
        Effect.asVoid,
      ),
    ),
  )

command("migrate", "Bring the database schema up to date.").action((flags: JsonFlag) =>
  runBare(flags, migrate()),
)

const secrets = program.command("secrets").description("The secret that opens this installation.")

command(
  "rotate",
  "Wrap the data keys by the first value of FOOTFALL_SECRET, or by a new secret.",
  secrets,
)
  .option(
    "--keep-former",
    "leave the former secret in DATA_DIR/secret: what it signed still verifies",
  )
  .addHelpText(
    "after",
    "\nWhere DATA_DIR/secret is in use, makes a new secret and writes it there. Else give both values:\n" +
      "  FOOTFALL_SECRET=new,old footfall-server secrets rotate",
  )
  .action((flags: JsonFlag & { readonly keepFormer?: true }) =>
    runBare(flags, rotateSecrets({ keepsFormer: flags.keepFormer === true })),
  )

command("reset", "Give up what a lost secret protected; stop every server first.", secrets)
  .requiredOption("--yes", "the lost secret will not be found again")
  .action((flags: JsonFlag) => runBare(flags, resetSecrets()))

interface DoctorFlags extends JsonFlag {
  readonly port?: number
  readonly host?: string
}

command("doctor", "Say what is wrong with this installation, and what to do about it.")
  .option("--port <n>", "listening port, before PORT (default 4100)", port)
  .option("--host <address>", "listening address, before HOST")
  .action(async (flags: DoctorFlags) => {
    const { host, json, port: number } = flags
    const isHealthy = await Effect.runPromise(
      doctor({ role: "command", host, port: number }).pipe(
        Effect.provide([Platform, outputOf(json === true)]),
      ),
    )
    process.exit(isHealthy ? 0 : 1)
  })

await program.parseAsync()
