// All connectors, in one place, and the service through which accounts and deliveries use them.
import { Context, Effect, Layer, Redacted, Stream } from "effect"
import { Outbound } from "../../../platform/outbound/outbound.ts"
import type {
  Connector,
  ListMember,
  ListTarget,
  MemberOutcome,
  Removal,
  RemovalOutcome,
  Trial,
  WrittenMember,
} from "./connector.ts"
import type { ConnectorError, WritingError } from "./connector-error.ts"
import { makeProviderApi } from "./asking.ts"
import { attio } from "./attio.ts"
import { brevo } from "./brevo.ts"
import { emailoctopus } from "./emailoctopus.ts"
import { hubspot } from "./hubspot.ts"
import { klaviyo } from "./klaviyo.ts"
import { listmonk } from "./listmonk.ts"
import { mailchimp } from "./mailchimp.ts"
import { mailer } from "./mailer.ts"
import { pipedrive } from "./pipedrive.ts"
import type { MailingList } from "./mailing-list.ts"
import { makePacing, paceAt, ServicePace } from "./pacing.ts"
import type { ProviderApi } from "./provider-api.ts"
import { patient, type PeoplePages, type PeopleQuery } from "./people-reading.ts"

/** By `appSlug`. */ // spec 2.17
export const connectors = {
  mailer,
  emailoctopus,
  listmonk,
  mailchimp,
  brevo,
  klaviyo,
  hubspot,
  pipedrive,
  attio,
} as const satisfies Record<string, Connector>

export type AppSlug = keyof typeof connectors
export const appSlugs = Object.keys(connectors) as ReadonlyArray<AppSlug>

/** How to reach an account. */
export interface Connection {
  readonly appSlug: AppSlug
  readonly accountId: string
  /** Without a trailing slash; with or without the path of the API. */
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  readonly username: string | null
}

/** What the lists of an account are asked for: contacts are written to them, or people are read from them. */
export type ListUse = "write" | "read"

interface ConnectorsShape {
  /** One request that shows whether the credentials work. */
  probe(connection: Connection): Effect.Effect<void, ConnectorError>
  /** The lists that can be written, or read, in the service's order. */
  lists(
    connection: Connection,
    use?: ListUse,
  ): Effect.Effect<ReadonlyArray<MailingList>, ConnectorError>
  /** One list with its fields. */
  list(connection: Connection, listId: string): Effect.Effect<MailingList, ConnectorError>
  /** The people of a service that can be read. */
  people(connection: Connection, query: PeopleQuery): PeoplePages
  /** What a check with this account needs; undefined for a service that can't be checked. */
  trial(connection: Connection): { readonly trial: Trial; readonly api: ProviderApi } | undefined
  /** At most `membersMax` of the connector. One outcome each, in order; an error concerns all of them. */
  upsert(
    connection: Connection,
    target: ListTarget,
    members: ReadonlyArray<WrittenMember>,
  ): Effect.Effect<ReadonlyArray<MemberOutcome>, WritingError>
  /** Like `upsert`. */
  remove(
    connection: Connection,
    target: ListTarget,
    members: ReadonlyArray<ListMember>,
    how: Removal,
  ): Effect.Effect<ReadonlyArray<RemovalOutcome>, WritingError>
}

const make = Effect.gen(function* () {
  const outbound = yield* Outbound
  const pacing = makePacing()
  const percent = yield* ServicePace
  const paced = new Map<AppSlug, Connector>(
    appSlugs.map((appSlug) => {
      const connector: Connector = connectors[appSlug]
      return [appSlug, { ...connector, pace: paceAt(percent, connector.pace) }]
    }),
  )

  const reach = ({ accountId, apiKey, appSlug, baseUrl, username }: Connection) => {
    const connector = paced.get(appSlug)!
    const { apiPath } = connector
    const api = makeProviderApi(outbound, pacing, connector, {
      accountId,
      baseUrl: baseUrl.endsWith(apiPath) ? baseUrl : `${baseUrl}${apiPath}`,
      credentials: { apiKey: Redacted.value(apiKey), username },
    })
    return { connector, api }
  }

  return {
    probe: (connection) => {
      const { api, connector } = reach(connection)
      return Effect.withSpan(connector.probe(api), "Connectors.probe")
    },
    lists: (connection, use = "write") => {
      const { api, connector } = reach(connection)
      const readable = use === "read" ? connector.people?.lists : undefined
      return Effect.withSpan((readable ?? connector.lists)(api), "Connectors.lists")
    },
    list: (connection, listId) => {
      const { api, connector } = reach(connection)
      return Effect.withSpan(connector.list(api, listId), "Connectors.list")
    },
    people: (connection, query) => {
      const { api, connector } = reach(connection)
      return connector.people?.read(patient(api), query) ?? Stream.empty
    },
    trial: (connection) => {
      const { api, connector } = reach(connection)
      const { trial } = connector
      return trial === undefined ? undefined : { trial, api }
    },
    upsert: (connection, target, members) => {
      const { api, connector } = reach(connection)
      return connector.upsert(api, target, members)
    },
    remove: (connection, target, members, how) => {
      const { api, connector } = reach(connection)
      return connector.remove(api, target, members, how)
    },
  } satisfies ConnectorsShape
})

export class Connectors extends Context.Service<Connectors, ConnectorsShape>()(
  "@footfall/server/destinations/Connectors",
) {
  static readonly layer = Layer.effect(Connectors, make)
}

// `MAILER_BASE_URL`: the base URL of `mailer` accounts connected without one.
/** Without a trailing slash. */ // spec 1.2, 2.17
export const MailerBaseUrl = Context.Reference<string | undefined>(
  "@footfall/server/destinations/MailerBaseUrl",
  { defaultValue: () => undefined },
)
