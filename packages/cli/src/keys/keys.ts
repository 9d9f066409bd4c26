// `footfall keys`: the API keys of the organization. A key is shown once, when it is created.

import type { ApiKey, ApiKeyCreateParams, ListMeta } from "@footfall/sdk"
import { InvalidArgumentError, Option } from "commander"
import { defineDelete } from "../command/define-delete.ts"
import { define } from "../command/define.ts"
import { addListOptions } from "../command/list-options.ts"
import { named } from "../command/names.ts"
import { clientOf, waitHooks } from "../connection/connect.ts"
import { pixelIdOf } from "../pixels/pixel-id.ts"
import { loadSettings, type LoadedSettings } from "../connection/settings.ts"
import { CliError, ExitCode, usageError } from "../errors/cli-error.ts"
import { listForm } from "../output/print-list.ts"
import { factsText } from "../output/print-result.ts"
import { requireProfile, withApiKey, withProfile } from "../profiles/profile.ts"
import { lines } from "../terminal/terminal.ts"
import { timeAgo } from "../ui/text.ts"

interface CreateOptions {
  readonly expiresAt?: string
  readonly scope?: ReadonlyArray<KeyScope>
  readonly site?: ReadonlyArray<string>
  readonly network?: ReadonlyArray<string>
  readonly save?: true
}

type KeyScope = NonNullable<ApiKeyCreateParams["scopes"]>[number]

/** Source: spec 7.1.7. */
const scopes = [
  ...(["visitors:read", "visitors:write", "suppression:read", "suppression:write"] as const),
  ...(["intent:read", "intent:write", "destinations:write", "imports:write", "all"] as const),
] satisfies ReadonlyArray<KeyScope>

/** Maximum rows per page; source: spec 1.6. */
const PAGE_ROWS = 100

/** Parses a key's id or name. Among keys with the same name, only active ones count. */
const keyId = named("key", "footfall keys list", async (client) => {
  const keys = []
  for await (const key of client.apiKeys.list({ limit: PAGE_ROWS })) {
    if (key.revokedAt === null) keys.push(key)
  }
  return keys
})

export const keyCommands = [
  define("list", {
    description: "list the API keys, newest first",
    takes: (command) => addListOptions(command, "keys"),
    fields: "id,name,lastUsedAt",
    examples: ["footfall keys list", "footfall keys list --all --json"],
    credential: "accessToken",
    run: async ({ connect, printList }) => {
      const client = await connect()
      await printList(client.apiKeys.list(), keyList)
    },
  }),

  define<object, [id: string]>("get", {
    description: "show one API key, without its secret",
    takes: (command) => command.argument("<id>", "id or name of the key", keyId),
    fields: "name,lastUsedAt,expiresAt",
    examples: ["footfall keys get laptop"],
    credential: "accessToken",
    run: async ({ connect, print, terminal }, id) => {
      const client = await connect()

      for await (const key of client.apiKeys.list({ limit: PAGE_ROWS })) {
        if (key.id !== id) continue
        const { now } = terminal
        const text = factsText([
          ["Name", key.name],
          ["Key", `${key.prefix}…${key.last4}`],
          ["State", keyState(key, now)],
          ["May do", key.scopes.join(", ")],
          ["Sites", key.pixelIds?.join(", ") ?? "all"],
          ["Networks", key.allowedNetworks?.join(", ") ?? "all"],
          ["Last used", lastUse(key, now)],
          ["Created", timeAgo(key.createdAt, now)],
          ["Id", key.id],
        ])
        return print(key, text)
      }
      throw new CliError({
        code: "NOT_FOUND",
        message: `API key not found: ${id}`,
        exitCode: ExitCode.notFound,
        nextStep: "Run: footfall keys list",
      })
    },
  }),

  define<CreateOptions, [name: string]>("create", {
    description:
      "Create an API key. The key is shown once: save it now, it cannot be shown again.\n" +
      "With --save, it is saved in the profile instead, and shown only if it cannot be saved.",
    summary: "create an API key; it is shown once",
    takes: (command) =>
      command
        .argument("<name>", "what the key is for")
        .addOption(
          new Option("--expires-at <moment>", "when it expires, for example 2027-01-31").argParser(
            moment,
          ),
        )
        .addOption(
          new Option("--scope <scope>", "what it may do; can be repeated (default: all)").argParser(
            (text: string, before: ReadonlyArray<KeyScope> = []) => [...before, scopeOf(text)],
          ),
        )
        .option(
          "--site <pixel>",
          "a site that it is for, by its pixel's id or domain; can be repeated (default: all)",
          (text: string, before: ReadonlyArray<string> = []) => [...before, text],
        )
        .option(
          "--network <network>",
          "a network that it may be used from, for example 203.0.113.0/24; can be repeated (default: all)",
          (text: string, before: ReadonlyArray<string> = []) => [...before, text],
        )
        .option("--save", "save it in the profile instead of showing it"),
    examples: [
      "footfall keys create laptop --save",
      "footfall keys create ci --expires-at 2027-01-31",
      "footfall keys create blocklist --scope suppression:read --scope suppression:write --network 203.0.113.0/24",
      "footfall keys create crm --json | jq -r .data.secret | secret-store put footfall",
    ],
    credential: "accessToken",
    creates: true,
    run: async ({ options, print, terminal, command, creation }, name) => {
      const loaded = await loadSettings(terminal, command)
      const profile = loaded.settings.sessionProfile
      if (options.save && profile === undefined) {
        throw usageError("--save needs a signed-in profile.", "Run: footfall login")
      }
      const client = await clientOf(loaded, "accessToken", waitHooks(terminal))
      const pixelIds =
        options.site && (await Promise.all(options.site.map((site) => pixelIdOf(client, site))))
      // Checks that the profile can be saved before creating a key, because the secret is shown only once.
      if (options.save && profile !== undefined) await keep(loaded, profile, {})

      const { apiKey, secret } = await client.apiKeys.create(
        {
          name,
          expiresAt: options.expiresAt,
          scopes: options.scope,
          pixelIds,
          allowedNetworks: options.network,
        },
        creation,
      )

      const problem =
        options.save && profile !== undefined
          ? await keep(loaded, profile, { apiKey: secret }).then(
              () => null,
              (error: unknown) => ({ error }),
            )
          : undefined
      if (problem === null) {
        return print({ apiKey, profile }, () =>
          lines(`Created key ${name} and saved it in the profile ${profile}.`),
        )
      }
      await print({ apiKey, secret }, () =>
        lines(
          `Created key ${name}. It is shown only once:`,
          "",
          `  ${secret}`,
          "",
          apiKey.scopes.includes("all")
            ? "Anyone who has it can read your visitor data. Keep it secret and never put it on a web page."
            : `It may do this: ${apiKey.scopes.join(", ")}. Keep it secret and never put it on a web page.`,
        ),
      )
      if (problem !== undefined) throw problem.error
    },
  }),

  defineDelete({
    description: "revoke an API key; it stops working within 5 seconds",
    id: ["id or name of the key", keyId],
    example: "footfall keys delete laptop",
    credential: "accessToken",
    warning: (id) => `The key ${id} will be revoked. Programs that use it will stop working.`,
    run: ({ apiKeys }, id) => apiKeys.revoke(id),
    done: (id) => `Revoked key ${id}.`,
  }),
]

/** `active`, `revoked`, `expired`, or `until` and a date. */
export const keyState = ({ revokedAt, expiresAt }: ApiKey, now: Date): string => {
  if (revokedAt !== null) return "revoked"
  if (expiresAt === null) return "active"
  return Date.parse(expiresAt) <= now.getTime() ? "expired" : `until ${expiresAt.slice(0, 10)}`
}

const lastUse = ({ lastUsedAt, lastUsedFrom }: ApiKey, now: Date): string =>
  lastUsedAt === null
    ? "never"
    : `${timeAgo(lastUsedAt, now)}${lastUsedFrom === null ? "" : ` from ${lastUsedFrom}`}`

/** Errors: InvalidArgumentError. */
const scopeOf = (text: string): KeyScope => {
  const scope = scopes.find((one) => one === text.trim())
  if (scope !== undefined) return scope
  throw new InvalidArgumentError(`Expected one of ${scopes.join(", ")}.`)
}

/** Saves the profile, with `key` if given. Errors: those of `ConfigFile.change`. */
const keep = async (
  { file }: LoadedSettings,
  name: string,
  key: { readonly apiKey?: string },
): Promise<void> => {
  await file.change(
    () => {},
    (profiles) => {
      const profile = requireProfile(profiles, name)
      return withProfile(
        profiles,
        name,
        key.apiKey === undefined ? profile : withApiKey(profile, key.apiKey),
      )
    },
  )
}

/** Parses a date or timestamp. Errors: InvalidArgumentError. */
const moment = (text: string): string => {
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : null
  if (at !== null && !Number.isNaN(at.getTime())) return at.toISOString()
  throw new InvalidArgumentError("Expected a date, for example 2027-01-31.")
}

export const keyList = listForm<ApiKey, ListMeta>({
  csvColumns: [
    "id",
    "name",
    "prefix",
    "last4",
    "createdAt",
    "lastUsedAt",
    "lastUsedFrom",
    "expiresAt",
    "revokedAt",
    "scopes",
    "pixelIds",
    "allowedNetworks",
  ],
  nouns: ["key", "keys"],
  empty: { message: "There are no API keys yet.", next: "Run: footfall keys create <name>" },
  columns: ({ now }) => [
    { title: "Id", cell: ({ id }) => id },
    { title: "Name", cell: ({ name }) => name, widthMin: 8, widthKept: 14 },
    { title: "Key", cell: ({ prefix, last4 }) => `${prefix}…${last4}`, dropRank: 1 },
    { title: "May do", cell: ({ scopes: has }) => has.join(" "), widthMin: 6, dropRank: 4 },
    { title: "State", cell: (key) => keyState(key, now), widthMin: 16 },
    {
      title: "Last used",
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : timeAgo(lastUsedAt, now)),
      align: "right",
      dropRank: 2,
    },
    {
      title: "Created",
      cell: ({ createdAt }) => timeAgo(createdAt, now),
      align: "right",
      dropRank: 3,
    },
  ],
  isDim: (key, { now }) => ["revoked", "expired"].includes(keyState(key, now)),
})
