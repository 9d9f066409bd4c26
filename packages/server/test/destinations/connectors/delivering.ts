// What tests that deliver to a double share: connected accounts, active destinations, and a fault for each contact.
import type { DeliveryWorld, people } from "../../deliveries/support.ts"
import type { Account } from "../support.ts"
import type { Double } from "./double.ts"
import type { ServiceFault, ServiceRequest } from "./service.ts"

export const connectTo = async (
  world: DeliveryWorld,
  appSlug: string,
  double: Double,
): Promise<Account> => {
  const { account } = await world.world.get<{ readonly account: Account }>(
    "POST /v1/intent/integrations/accounts",
    { appSlug, credentials: { ...double.credentials, baseUrl: double.url } },
  )
  return account
}

/** An active destination of an audience whose latest run found these people. */
export const activeDestination = async (
  world: DeliveryWorld,
  appSlug: string,
  double: Double,
  account: Account,
  found: ReturnType<typeof people>,
  config: Readonly<Record<string, unknown>> = {},
) => {
  const audienceId = await world.world.audience()
  const { destination: made } = await world.world.get<{
    readonly destination: { readonly id: string; readonly audienceId: string }
  }>(`POST /v1/intent/audiences/${audienceId}/destinations`, {
    destinationType: "automation",
    name: "List",
    appSlug,
    connectedAccountId: account.id,
    config: { listId: double.listId, fieldMapping: double.fieldMapping, ...config },
  })
  await world.world.changed(made, { status: "active" })
  await world.run(audienceId, found)
  return made
}

/**
 * One request about each contact fails in the given way: the first that writes, or the second. A contact has three
 * attempts, so requests by address fail once, and so do those by the service's id.
 */
export const failing = (fault: ServiceFault) => {
  const written = new Map<string, number>()
  const failed = new Set<string>()
  return ({ body, method, path }: ServiceRequest) => {
    // HubSpot reads by POST.
    if (method === "GET" || path.endsWith("/batch/read")) return undefined
    const text = `${path.replace(/\/tags$/, "")} ${JSON.stringify(body)}`
    const who: ReadonlyArray<string> = text.match(/[a-z]+\d+@harbor\.example/g) ??
      text.match(/\br\d+\b/) ?? [path.replace(/\/tags$/, "")]
    const [first] = who as readonly [string]
    const count = (written.get(first) ?? 0) + 1
    written.set(first, count)
    if (who.some((one) => failed.has(one)) || count < 1 + (first.length % 2)) return undefined
    for (const one of who) failed.add(one)
    return fault
  }
}

/** How this service removes someone. */
export const onLeaveOf = (double: Double) =>
  double.canRemoveFromList ? "remove_from_list" : "remove_tag"

/** Everyone whom the service shows as part of the audience: by its list, or by the audience's tag. */
export const inAudience = (
  double: Double,
  { audienceId }: { readonly audienceId: string },
  prefix: string,
) =>
  double
    .people()
    .filter(({ email }) => email.startsWith(prefix))
    .filter(({ status, tags }) =>
      double.canRemoveFromList
        ? status === double.newStatus
        : tags.includes(`audience:${audienceId.slice(0, 8)}`),
    )
    .map(({ email }) => email.split("@")[0]!)
    .toSorted()

/** The people whose addresses begin so, with their statuses. */
export const statusesOf = (double: Double, prefix: string) =>
  double
    .people()
    .filter(({ email }) => email.startsWith(prefix))
    .map(({ email, status }) => [email, status] as const)
    .toSorted()
