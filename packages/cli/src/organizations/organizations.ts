// `footfall organizations`: your organizations. The user who creates one becomes its owner.

import type { ListMeta, Organization, OrganizationUpdateParams } from "@footfall/sdk"
import { InvalidArgumentError, Option } from "commander"
import { define } from "../command/define.ts"
import { addListOptions } from "../command/list-options.ts"
import { clientOf, waitHooks } from "../connection/connect.ts"
import { credentialsMissing } from "../connection/credential.ts"
import { loadSettings } from "../connection/settings.ts"
import { usageError } from "../errors/cli-error.ts"
import {
  organizationIdOf,
  organizationOption,
  type OrganizationOption,
} from "../members/reference.ts"
import { listForm } from "../output/print-list.ts"
import { factsText } from "../output/print-result.ts"
import { lines } from "../terminal/terminal.ts"
import { ownOrganization } from "./own.ts"

export const organizationList = listForm<Organization, ListMeta>({
  csvColumns: ["id", "name", "slug", "status", "timeZone", "settings", "createdAt", "updatedAt"],
  nouns: ["organization", "organizations"],
  empty: {
    message: "There are no organizations yet.",
    next: "Run: footfall organizations create <name> --slug <slug>",
  },
  columns: () => [
    { title: "Slug", cell: ({ slug }) => slug },
    { title: "Name", cell: ({ name }) => name, widthMin: 10, widthKept: 20 },
    { title: "Status", cell: ({ status }) => status },
    { title: "Id", cell: ({ id }) => id, dropRank: 1 },
  ],
  isDim: ({ status }) => status === "suspended" || status === "expired",
})

interface UpdateOptions extends OrganizationOption {
  readonly name?: string
  readonly timeZone?: string
  readonly retentionDays?: number | "none"
  readonly excludedIp?: ReadonlyArray<string>
}

export const organizationCommands = [
  define("list", {
    description: "list your organizations, newest first",
    takes: (command) => addListOptions(command, "organizations"),
    fields: "id,name,slug",
    examples: ["footfall organizations list"],
    credential: "accessToken",
    run: async ({ connect, printList }) => {
      const client = await connect()
      await printList(client.organizations.list(), organizationList)
    },
  }),

  define("get", {
    description: "show the organization in use, and its settings",
    fields: "name,settings.retentionDays",
    examples: [
      "footfall organizations get",
      "footfall organizations get --json | jq .data.settings",
    ],
    credential: "accessToken",
    run: async ({ connect, print }) => {
      const client = await connect()

      const organization = await client.organizations.get(await organizationIdOf(client, {}))

      const { name, slug, status, timeZone, settings, id } = organization
      const text = factsText([
        ["Name", name],
        ["Slug", slug],
        ["Status", status],
        ["Time zone", timeZone],
        ...Object.entries(settings).map(
          ([key, value]) => [key, value === null ? null : JSON.stringify(value)] as const,
        ),
        ["Id", id],
      ])
      await print(organization, text)
    },
  }),

  define<{ readonly slug: string }, [name: string]>("create", {
    description: "create an organization; you become its owner",
    takes: (command) =>
      command
        .argument("<name>", "name of the organization")
        .requiredOption("--slug <slug>", "short name: 3 to 63 characters, a-z, 0-9 and hyphens"),
    examples: ["footfall organizations create 'Tidewater' --slug tidewater"],
    credential: "accessToken",
    creates: true,
    run: async ({ connect, creation, options, print }, name) => {
      const client = await connect()

      const organization = await client.organizations.create({ name, slug: options.slug }, creation)

      await print(organization, () =>
        lines(
          `Created organization ${organization.name}: ${organization.id}`,
          `To use it: footfall organizations use ${organization.slug}`,
        ),
      )
    },
  }),

  define<UpdateOptions>("update", {
    description: "change the name, time zone and settings of an organization",
    takes: (command) =>
      command
        .option("--name <name>", "new name")
        .option("--time-zone <zone>", "time zone of its days, such as Europe/Berlin")
        .addOption(
          new Option(
            "--retention-days <days>",
            "days to keep sessions and events, 30 to 3650, or `none` to keep them forever",
          ).argParser(retentionDays),
        )
        .option("--excluded-ip <cidr...>", "networks whose visits are not recorded, or `none`")
        .addOption(organizationOption()),
    examples: [
      "footfall organizations update --time-zone Europe/Berlin",
      "footfall organizations update --retention-days 365",
      "footfall organizations update --excluded-ip 203.0.113.0/24 2001:db8::/48",
    ],
    credential: "accessToken",
    run: async ({ connect, options, print }) => {
      if (options.excludedIp?.includes("none") && options.excludedIp.length > 1) {
        throw usageError("--excluded-ip accepts networks or `none`, not both.")
      }
      const changes = changesOf(options)
      if (Object.keys(changes).length === 0) {
        throw usageError("Nothing to update.", "Run: footfall organizations update --help")
      }
      const client = await connect()

      const organization = await client.organizations.update(
        await organizationIdOf(client, options),
        changes,
      )

      await print(organization, () => lines(`Updated organization ${organization.name}.`))
    },
  }),

  define<object, [reference: string]>("use", {
    description:
      "Switch to another organization. The profile's API key is not used while it belongs to\n" +
      "another one; `footfall keys create <name> --save` creates one of the organization in use.",
    summary: "switch to another organization",
    takes: (command) => command.argument("<organization>", "its slug, name or id"),
    examples: ["footfall organizations use tidewater"],
    credential: "accessToken",
    run: async ({ print, terminal, command }, reference) => {
      const loaded = await loadSettings(terminal, command)
      const profile = loaded.settings.sessionProfile
      if (profile === undefined) throw credentialsMissing("accessToken")
      const client = await clientOf(loaded, "accessToken", waitHooks(terminal))
      const { organizations: known } = await client.auth.me()
      const found = ownOrganization(known, reference)

      const [{ renewedSession }, { keepKeyOrganization, keyOwner }] = await Promise.all([
        import("../connection/session-token.ts"),
        import("./key-owner.ts"),
      ])
      const owner = await keyOwner(terminal, loaded.file, profile)
      await renewedSession(loaded.file, profile, found.id)
      const other = await keepKeyOrganization(loaded.file, profile, found.id, owner)

      await print(found, () =>
        lines(
          `Switched to ${found.name}. Your role is ${found.role}.`,
          other === undefined
            ? null
            : `The profile's API key is for ${other.name} and is no longer used. To create one: footfall keys create <name> --save`,
        ),
      )
    },
  }),
]

const changesOf = ({
  name,
  timeZone,
  retentionDays: days,
  excludedIp,
}: UpdateOptions): OrganizationUpdateParams => {
  const settings = {
    ...(days === undefined ? {} : { retentionDays: days === "none" ? null : days }),
    ...(excludedIp === undefined
      ? {}
      : { excludedIps: excludedIp.filter((network) => network !== "none") }),
  }
  return {
    ...(name === undefined ? {} : { name }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  }
}

/** The server checks the limits (spec 1.8). Errors: InvalidArgumentError. */
const retentionDays = (text: string): number | "none" => {
  if (text === "none") return text
  if (/^\d+$/.test(text)) return Number(text)
  throw new InvalidArgumentError("Expected a number of days, or none.")
}
